"""Scoring of Edel, Stein & Reich: the four colours, the event cards held, the certificates."""

from engine.barter.gems import COLOURS, SHIFT, VALUE
from engine.barter.majority import per_seat, score
from engine.games.edel_stein_reich.cards import (
    BONUS,
    CERTIFICATES,
    COLOUR_BONUS,
    EVENT,
    EVERY_SOLE_MAJORITY,
    FIRST_CERTIFICATES,
    PER_GEM,
    SECOND_CERTIFICATES,
)
from engine.games.edel_stein_reich.state import State, Tell
from engine.seats import Seat


def give_back(state: State, returned: list[int]) -> None:
    """Move these packed gems, one vector per seat, to the supply."""
    for seat, gems in enumerate(returned):
        state.gems[seat] -= gems
    state.supply += sum(returned)


def score_phase(state: State, tell: Tell) -> None:
    """Score red, yellow, green, blue, each finished before the next; then the certificates."""
    held, holders = _sort_events(state)
    money, bonus = state.money, [0] * state.n
    for colour, value in enumerate(VALUE):
        before = state.gems[:]
        leaders, pay, back = score(state, money, colour, value)
        for seat, kinds in holders:
            bonus[seat] = _bonus(state, kinds, colour, before[seat], leaders == [seat])
            money[seat] += bonus[seat]
        if tell:
            paid, returned = per_seat(leaders, pay, state.n), per_seat(leaders, back, state.n)
            fields = {"colour": COLOURS[colour], "paid": paid, "bonus": bonus[:]}
            tell("score", state, {**fields, "returned": returned})
    _score_certificates(state, held, tell)


def _sort_events(state: State) -> tuple[list[int], list[tuple[Seat, list[str]]]]:
    """Return how many certificates each seat has, and who has which kinds of bonuses."""
    counts, holders = [0] * state.n, []
    for seat, cards in enumerate(state.held):
        if cards:
            kinds = [EVENT[card] for card in cards if card not in CERTIFICATES]
            # Whatever a seat holds besides bonuses is a certificate.
            counts[seat] = len(cards) - len(kinds)
            if kinds:
                holders.append((seat, kinds))
    return counts, holders


def _bonus(state: State, kinds: list[str], colour: int, gems: int, sole: bool) -> int:
    """Return what the event cards of a seat add to the scoring of a colour (R-02, R-26)."""
    bonus = gems >> SHIFT[colour] & 31 if PER_GEM[colour] in kinds else 0
    if sole:
        bonus += EVERY_SOLE_MAJORITY * kinds.count("every_sole_majority")
        if COLOUR_BONUS[colour] in kinds:
            bonus += BONUS[state.options["majority_bonus"]][colour]
    return bonus


def _score_certificates(state: State, held: list[int], tell: Tell) -> None:
    """Pay for certificates; every event card held goes face up under the pile, used or not."""
    paid = certificates(held)
    for seat, cards in enumerate(state.held):
        if cards:
            state.money[seat] += paid[seat]
            state.discards += cards
            state.held[seat] = []
    if tell:
        tell("certificates", state, {"held": held, "paid": paid})


def certificates(held: list[int]) -> list[int]:
    """Pay the most certificates, and the second most unless first place is shared (R-21)."""
    first = max(held)
    if first == 0:
        return [0] * len(held)
    if held.count(first) > 1:
        return [FIRST_CERTIFICATES if k == first else 0 for k in held]
    second = sorted(held)[-2]
    paid = [SECOND_CERTIFICATES if 0 < k == second else 0 for k in held]
    paid[held.index(first)] = FIRST_CERTIFICATES
    return paid
