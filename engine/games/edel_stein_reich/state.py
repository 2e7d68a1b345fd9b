"""A position of Edel, Stein & Reich."""

from typing import TypeAlias

from engine.barter.table import Table
from engine.game import Json, Listener, Option

OPTIONS = {
    "majority_bonus": Option("scaled", ("scaled", "flat7"), "it is 'scaled' or 'flat7'"),
    "max_offers": Option(60, range(1, 1001), "it is a number from 1 to 1000"),
    "event_reshuffle": Option("eager", ("eager", "lazy"), "it is 'eager' or 'lazy'"),
    "deck": Option("house", ("house",), "the only deck is 'house'"),
}

SEATS = (3, 4, 5)
PHASES = 3
ASIDE = {3: 6, 4: 2, 5: 0}
ROUNDS = {3: 8, 4: 7, 5: 6}

SOURCE = "EVENT_SOURCE"
USE = "EVENT_USE"


class State(Table):
    """Everything on the table and under it."""

    __slots__ = (
        *("phase", "money", "held", "gem_pile", "used", "set_aside", "aside"),
        *("event_pile", "discards", "event", "using"),
    )

    def __init__(self, n: int, options: dict[str, Json]) -> None:
        super().__init__(n, options)
        self.phase = 0
        self.money: list[int] = [0] * n
        self.held: list[list[str]] = [[] for _ in range(n)]
        """The scoring event cards before each seat, in order of acquisition."""
        self.gem_pile: list[str] = []
        """Face down; its top is the end of the list."""
        self.used: list[str] = []
        """Gem cards of the finished rounds of this phase."""
        self.set_aside: list[str] = []
        """All gem cards set aside in this phase; only the last, `aside`, can be seen."""
        self.aside: str | None = None
        self.event_pile: list[str] = []
        """The face-down part of the event pile; its top is the end of the list."""
        self.discards: list[str] = []
        """The face-up cards below it, in the order in which they were put there."""
        self.event: str | None = None
        self.using: str | None = None
        """The immediate event card whose use is being decided."""


def clone(state: State) -> State:
    """Return an independent copy."""
    copy = state.clone()
    copy.phase = state.phase
    copy.money = state.money[:]
    copy.held = [held[:] for held in state.held]
    copy.gem_pile = state.gem_pile[:]
    copy.used = state.used[:]
    copy.set_aside = state.set_aside
    copy.aside = state.aside
    copy.event_pile = state.event_pile[:]
    copy.discards = state.discards[:]
    copy.event = state.event
    copy.using = state.using
    return copy


Tell: TypeAlias = Listener[State] | None
"""Who listens to what happens, if anybody does."""
