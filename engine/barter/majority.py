"""Scoring of a colour: the most gems are paid, and part of them goes back to the supply."""

from engine.barter.gems import SHIFT
from engine.barter.table import Table
from engine.game import Seat


def majority(counts: list[int], value: int) -> tuple[list[Seat], int, int]:
    """Return who shares `value` for the most gems, what each is paid and what each gives back.

    A sole leader gets it all and returns half of its gems, rounded up. Leaders that tie share it,
    rounded down, and return two each, or what they have (R-34, R-35). It takes at least one gem to
    lead (R-20).
    """
    most = max(counts)
    if most == 0:
        return [], 0, 0
    ties = counts.count(most)
    if ties == 1:
        return [counts.index(most)], value, (most + 1) // 2
    leaders = [seat for seat, count in enumerate(counts) if count == most]
    return leaders, value // ties, min(2, most)


def score(state: Table, account: list[int], colour: int, value: int) -> tuple[list[Seat], int, int]:
    """Pay the majority of a colour into its accounts and take the gems it returns."""
    shift = SHIFT[colour]
    leaders, pay, back = majority([gems >> shift & 31 for gems in state.gems], value)
    returned = back << shift
    for seat in leaders:
        account[seat] += pay
        state.gems[seat] -= returned
        state.supply += returned
    return leaders, pay, back


def per_seat(leaders: list[Seat], amount: int, seats: int) -> list[int]:
    """Return the amount for each leader, and nothing for the others."""
    return [amount if seat in leaders else 0 for seat in range(seats)]
