"""What a seat may do in Basari, why not, and what is done for a seat that fails."""

from engine.barter import bargaining, free_choice
from engine.barter.offers import Offers
from engine.barter.table import CHOOSE
from engine.game import NOT_ASKED, Options, Seat, say_one_of
from engine.games.basari.state import State

ACTIONS = {
    3: ("workers", "points", "gems"),
    4: ("workers", "points", "gems"),
    5: ("workers", "points", "gems", "free"),
}


def openings(own: int) -> Offers:
    """Return all offers of the opener: at least one gem, as nobody declines here (R-33)."""
    return Offers((), own)


def moves_now(state: State) -> Options:
    """Work out from the position alone what each seat asked may do."""
    decision, asked = state.decision, state.asked
    if decision is None:
        return ()
    if decision == CHOOSE:
        return ACTIONS[state.n]
    own = state.gems[asked[0]]
    if decision == bargaining.OPEN:
        return openings(own)
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
    if state.decision in (bargaining.OPEN, bargaining.REPLY):
        return bargaining.illegal_reason(state, move)
    if state.decision in (free_choice.TRADE, free_choice.PICK):
        return free_choice.illegal_reason(state, seat, move)
    return say_one_of(move, state.moves)


def fallback(state: State, seat: Seat) -> str:
    """Return the move played for a seat that failed."""
    if state.decision in (free_choice.TRADE, free_choice.PICK):
        return free_choice.fallback(state, seat)
    if state.decision == bargaining.OPEN:
        # The lowest offer there is: one gem of the lowest colour held.
        return state.moves[0]
    return "points" if state.decision == CHOOSE else "accept"
