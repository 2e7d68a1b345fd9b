"""A position of Basari."""

from typing import Any

from engine import barter
from engine.barter import Barter
from engine.game import NOBODY, Option, Options, Seat
from engine.gems import PER_COLOUR, same

OPTIONS = {
    "max_offers": Option(60, range(1, 1001), "it is a number from 1 to 1000"),
    "deck": Option("house", ("house",), "the only deck is 'house'"),
}

SEATS = (3, 4, 5)
STAGES = 3
START_GEMS = 3

CHOOSE = "CHOOSE_ACTION"


class State:
    """Everything on the table and under it. Gem vectors are packed ints; cards are their ids."""

    __slots__ = (
        "actions",
        "age_rank",
        "asked",
        "at",
        "barter",
        "cards",
        "decision",
        "gems",
        "moves",
        "n",
        "options",
        "picking",
        "pile",
        "plan",
        "points",
        "round",
        "rows",
        "stage",
        "supply",
        "workers",
    )

    def __init__(self, n: int, options: dict[str, Any]) -> None:
        self.n = n
        self.options = options
        self.stage = 0
        self.round = 0
        self.age_rank: list[int] = list(range(n))
        self.gems: list[int] = [same(START_GEMS)] * n
        self.points: list[int] = [0] * n
        self.supply: int = same(PER_COLOUR - START_GEMS * n)

        self.pile: list[str] = []
        """Face down; its top is the end of the list."""
        self.rows: list[list[str]] = [[] for _ in range(n)]
        """The cards each seat got in this stage, by the deal or by its action."""
        self.workers: list[int] = [0] * n
        """How many workers there are in each row."""

        self.cards: list[Any] = [None] * n
        """The card dealt to each seat in this round: what its points and gems come from (R-36)."""
        self.actions: list[str | None] = [None] * n
        self.plan: tuple[tuple[str, tuple[Seat, ...]], ...] = ()
        """The chosen actions of the round in their order, each with its choosers."""
        self.at = 0
        """How many of them have begun."""
        self.barter: Barter | None = None
        self.picking: list[Seat] = []
        self.decision: str | None = None
        self.asked: tuple[Seat, ...] = NOBODY
        self.moves: Options = ()
        """What each seat asked may do."""


def clone(state: State) -> State:
    """An independent copy."""
    copy = State.__new__(State)
    copy.n = state.n
    copy.options = state.options
    copy.stage = state.stage
    copy.round = state.round
    copy.age_rank = state.age_rank
    copy.gems = state.gems[:]
    copy.points = state.points[:]
    copy.supply = state.supply
    copy.pile = state.pile[:]
    copy.rows = [row[:] for row in state.rows]
    copy.workers = state.workers[:]
    copy.cards = state.cards[:]
    copy.actions = state.actions[:]
    copy.plan = state.plan
    copy.at = state.at
    copy.barter = barter.clone(state.barter) if state.barter else None
    copy.picking = state.picking
    copy.decision = state.decision
    copy.asked = state.asked
    copy.moves = state.moves
    return copy
