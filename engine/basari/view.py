"""What can be seen of a position of Basari, and positions imagined from it."""

from engine import barter
from engine.basari.cards import DECK
from engine.basari.moves import moves_now
from engine.basari.rules import PLANS
from engine.basari.state import State
from engine.game import PUBLIC, Seat, View
from engine.gems import pack, unpack
from engine.plan import resume
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
        "barter": barter.view(state.barter) if state.barter else None,
    }
    if seat is not None and seat != PUBLIC:
        seen["seat"] = seat
        seen["decision"] = state.decision
        seen["asked"] = list(state.asked)
        seen["picking"] = state.picking[:]
        seen["variant"] = state.options.copy()
    return seen


def imagine(seen: View, rng: Rng) -> State:
    """A position this seat's view allows: the cards nobody has seen lie in any order."""
    seats = seen["seats"]
    state = State(len(seats), dict(seen["variant"]))
    state.stage = seen["stage"]
    state.round = seen["round"]
    state.age_rank = seen["age_rank"][:]
    state.gems = [pack(seat["gems"]) for seat in seats]
    state.points = [seat["points"] for seat in seats]
    state.workers = [seat["workers"] for seat in seats]
    state.rows = [seat["row"][:] for seat in seats]
    state.supply = pack(seen["supply"])
    state.cards = [seat["card"] for seat in seats]
    state.actions = [seat["action"] for seat in seats]
    state.picking = seen["picking"][:]
    state.barter = barter.from_view(seen["barter"]) if seen["barter"] else None
    lying_open = {card for row in state.rows for card in row}
    state.pile = [card for card in DECK if card not in lying_open]
    rng.shuffle(state.pile)
    _resume(state, seen)
    return state


def _resume(state: State, seen: View) -> None:
    """Ask again whoever the view says is asked."""
    state.decision = seen["decision"]
    state.asked = tuple(seen["asked"])
    state.moves = moves_now(state)
    actions = [action for action in state.actions if action is not None]
    if actions:
        begun = state.barter.action if state.barter else "free"
        resume(state, PLANS[tuple(actions)], begun)
