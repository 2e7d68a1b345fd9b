"""A position of Basari."""

from typing import TypeAlias

from engine.barter.table import Table
from engine.game import Json, Listener, Option

OPTIONS = {
    "max_offers": Option(60, range(1, 1001), "it is a number from 1 to 1000"),
    "deck": Option("house", ("house",), "the only deck is 'house'"),
}

SEATS = (3, 4, 5)
STAGES = 3


class State(Table):
    """Everything on the table and under it. `cards` are what points and gems come from (R-36)."""

    __slots__ = ("pile", "points", "rows", "stage", "workers")

    def __init__(self, n: int, options: dict[str, Json]) -> None:
        super().__init__(n, options)
        self.stage = 0
        self.points: list[int] = [0] * n
        self.pile: list[str] = []
        """Face down; its top is the end of the list."""
        self.rows: list[list[str]] = [[] for _ in range(n)]
        """The cards each seat got in this stage, by the deal or by its action."""
        self.workers: list[int] = [0] * n
        """How many workers there are in each row."""


def clone(state: State) -> State:
    """Return an independent copy."""
    copy = state.clone()
    copy.stage = state.stage
    copy.points = state.points[:]
    copy.pile = state.pile[:]
    copy.rows = [row[:] for row in state.rows]
    copy.workers = state.workers[:]
    return copy


Tell: TypeAlias = Listener[State] | None
"""Who listens to what happens, if anybody does."""
