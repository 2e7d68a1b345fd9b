"""Scoring of a colour: the most gems are paid, and part of them goes back to the supply."""

from engine.barter.gems import SHIFT
from engine.barter.table import Table
from engine.game import Seat


def majority(hands: list[int], colour: int, value: int) -> tuple[list[Seat], int, int]:
    """Return who shares `value` for the most gems, what each is paid and what each gives back.

    A sole leader gets it all and returns half of its gems, rounded up. Leaders that tie share it,
    rounded down, and return two each, or what they have (R-34, R-35). It takes at least one gem to
    lead (R-20).
    """
    shift = SHIFT[colour]
    most, leaders = 1, []
    for seat, gems in enumerate(hands):
        count = gems >> shift & 31
        if count > most:
            most, leaders = count, [seat]
        elif count == most:
            leaders.append(seat)
    if len(leaders) > 1:
        return leaders, value // len(leaders), 2 if most > 1 else 1
    return (leaders, value, (most + 1) // 2) if leaders else (leaders, 0, 0)


def score(state: Table, account: list[int], colour: int, value: int) -> tuple[list[Seat], int, int]:
    """Pay the majority of a colour into its accounts and take the gems it returns."""
    gems = state.gems
    leaders, pay, back = majority(gems, colour, value)
    returned = back << SHIFT[colour]
    for seat in leaders:
        account[seat] += pay
        gems[seat] -= returned
        state.supply += returned
    return leaders, pay, back


def per_seat(leaders: list[Seat], amount: int, seats: int) -> list[int]:
    """Return the amount for each leader, and nothing for the others."""
    return [amount if seat in leaders else 0 for seat in range(seats)]
