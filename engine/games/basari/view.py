"""What can be seen of a position of Basari, and positions imagined from it."""

from typing import cast

from engine.barter.gems import unpack
from engine.barter.round_plan import resume
from engine.barter.table import CHOOSE
from engine.barter.views import Holdings, SharedSeatView, SharedTable
from engine.game import PUBLIC, Seat, View
from engine.games.basari.cards import DECK
from engine.games.basari.moves import moves_now
from engine.games.basari.rules import PLANS
from engine.games.basari.state import State
from engine.rng import Rng


class SeatPart(Holdings):
    """A seat's part of the table."""

    points: int
    workers: int
    row: list[str]


class TableView(SharedTable[SeatPart]):
    """What everybody sees."""

    stage: int
    pile: int


class SeatView(TableView, SharedSeatView[SeatPart]):
    """The table as a seat sees it."""


def view(state: State, seat: Seat | None = None) -> View:
    """Return the table as spectators see it; for a seat, with what is asked of whom."""
    table: TableView = {
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
    own_view = cast("View", table)
    if seat is not None and seat != PUBLIC:
        own_view |= state.asking(seat)
    return own_view


def imagine(own_view: View, rng: Rng) -> State:
    """Return a position this seat's view allows: unseen cards lie in any order."""
    table = cast("SeatView", own_view)
    seats = table["seats"]
    state = State(len(seats), dict(table["variant"]))
    state.restore(table)
    state.stage = table["stage"]
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
