"""What a seat may do in Edel, Stein & Reich, why not, and what is done for a seat that fails."""

from engine.barter import bargaining, free_choice
from engine.barter.offers import Offers
from engine.barter.table import CHOOSE
from engine.game import NOT_ASKED, Options, Seat, say_one_of
from engine.games.edel_stein_reich import events
from engine.games.edel_stein_reich.cards import EVENT
from engine.games.edel_stein_reich.state import SOURCE, USE, State

ACTIONS = {
    3: ("money", "event", "gems"),
    4: ("money", "event", "gems"),
    5: ("money", "event", "gems", "free"),
}
SOURCES = ("open", "hidden")


def moves_now(state: State) -> Options:
    """Work out from the position alone what each seat asked may do."""
    decision, asked = state.decision, state.asked
    if decision is None:
        return ()
    if decision == CHOOSE:
        return ACTIONS[state.n]
    own = state.gems[asked[0]]
    if decision == bargaining.OPEN:
        return Offers(bargaining.DECLINE, own)
    if decision == bargaining.SINGLE:
        return bargaining.single_offers(own)
    if decision == SOURCE:
        return SOURCES
    if decision == USE:
        return events.uses(state, asked[0], EVENT[state.using or ""])
    if decision == free_choice.TRADE:
        return free_choice.trades(own, state.supply)
    if decision == free_choice.PICK:
        return free_choice.picks(state.supply)
    return bargaining.replies(state, own)


def illegal_reason(state: State, seat: Seat, move: str) -> str | None:
    """Return why a seat may not make this move now; None if it may."""
    if seat not in state.asked:
        return NOT_ASKED
    if move in state.moves:
        return None
    if state.decision in (bargaining.OPEN, bargaining.SINGLE, bargaining.REPLY):
        return bargaining.illegal_reason(state, move)
    if state.decision in (free_choice.TRADE, free_choice.PICK):
        return free_choice.illegal_reason(state, seat, move)
    if state.decision == USE:
        assert state.using is not None
        return events.illegal_reason(state, seat, EVENT[state.using], move)
    return say_one_of(move, state.moves)


_FALLBACK = {
    CHOOSE: "money",
    bargaining.OPEN: "decline",
    bargaining.SINGLE: "decline",
    bargaining.REPLY: "accept",
    SOURCE: "open",
    USE: "decline",
}


def fallback(state: State, seat: Seat) -> str:
    """Return the move played for a seat that failed."""
    if state.decision in (free_choice.TRADE, free_choice.PICK):
        return free_choice.fallback(state, seat)
    assert state.decision is not None
    return _FALLBACK[state.decision]
