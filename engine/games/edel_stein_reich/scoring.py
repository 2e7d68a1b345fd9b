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


def give_back(state: State, returned: list[int]) -> None:
    """Move these packed gems, one vector per seat, to the supply."""
    for seat, gems in enumerate(returned):
        state.gems[seat] -= gems
    state.supply += sum(returned)


def score_phase(state: State, tell: Tell) -> None:
    """Score red, yellow, green, blue, each finished before the next; then the certificates."""
    bonuses = [[EVENT[card] for card in held if card not in CERTIFICATES] for held in state.held]
    holders = [(seat, kinds) for seat, kinds in enumerate(bonuses) if kinds]
    money = state.money
    for colour, value in enumerate(VALUE):
        before = state.gems[:]
        leaders, pay, back = score(state, money, colour, value)
        bonus = [0] * state.n
        for seat, kinds in holders:
            bonus[seat] = _bonus(state, kinds, colour, before[seat], leaders == [seat])
            money[seat] += bonus[seat]
        if tell:
            paid, returned = per_seat(leaders, pay, state.n), per_seat(leaders, back, state.n)
            fields = {"colour": COLOURS[colour], "paid": paid, "bonus": bonus}
            tell("score", state, {**fields, "returned": returned})
    # Whatever a seat holds besides bonuses is a certificate.
    held = [len(cards) - len(kinds) for cards, kinds in zip(state.held, bonuses, strict=True)]
    _score_certificates(state, held, tell)


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
    second = max((k for k in held if k < first), default=0) if held.count(first) == 1 else 0
    return [
        FIRST_CERTIFICATES if k == first else SECOND_CERTIFICATES if 0 < k == second else 0
        for k in held
    ]
