"""What can be seen of a position of Basari, and positions imagined from it."""

from engine.barter.gems import unpack
from engine.barter.round_plan import resume
from engine.barter.table import CHOOSE
from engine.game import PUBLIC, Seat, View
from engine.games.basari.cards import DECK
from engine.games.basari.moves import moves_now
from engine.games.basari.rules import PLANS
from engine.games.basari.state import State
from engine.rng import Rng


def view(state: State, seat: Seat | None = None) -> View:
    """The table as spectators see it; for a seat, with what is asked of whom."""
    seen: View = {
        "stage": state.stage,
        "round": state.round,
        "supply": unpack(state.supply),
        "pile": len(state.pile),
        "age_rank": state.age_rank[:],
        "seats": [
            {
                "gems": [gems >> 15, gems >> 10 & 31, gems >> 5 & 31, gems & 31],
                "points": points,
                "workers": workers,
                "row": row[:],
                "card": card,
                "action": action,
            }
            for gems, points, workers, row, card, action in zip(
                state.gems,
                state.points,
                state.workers,
                state.rows,
                state.cards,
                state.actions,
                strict=True,
            )
        ],
        "barter": state.barter.view() if state.barter else None,
    }
    if seat is not None and seat != PUBLIC:
        seen |= state.asking(seat)
    return seen


def imagine(seen: View, rng: Rng) -> State:
    """A position this seat's view allows: the cards nobody has seen lie in any order."""
    seats = seen["seats"]
    state = State(len(seats), dict(seen["variant"]))
    state.restore(seen)
    state.stage = seen["stage"]
    state.points = [seat["points"] for seat in seats]
    state.workers = [seat["workers"] for seat in seats]
    state.rows = [seat["row"][:] for seat in seats]
    lying_open = {card for row in state.rows for card in row}
    state.pile = [card for card in DECK if card not in lying_open]
    rng.shuffle(state.pile)
    state.moves = moves_now(state)
    if state.decision is not None and state.decision != CHOOSE:
        resume(state, PLANS, state.barter.action if state.barter else "free")
    return state
