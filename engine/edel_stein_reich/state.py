"""A position of Edel, Stein & Reich."""

from typing import Any

from engine import barter
from engine.barter import Barter
from engine.game import NOBODY, Option, Options, Seat
from engine.gems import PER_COLOUR, same

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
START_GEMS = 3

CHOOSE = "CHOOSE_ACTION"
SOURCE = "EVENT_SOURCE"
USE = "EVENT_USE"


class State:
    """Everything on the table and under it. Gem vectors are packed ints; cards are their ids."""

    __slots__ = (
        "actions",
        "age_rank",
        "aside",
        "asked",
        "at",
        "barter",
        "cards",
        "decision",
        "discards",
        "event",
        "event_pile",
        "gem_pile",
        "gems",
        "held",
        "money",
        "moves",
        "n",
        "options",
        "phase",
        "picking",
        "plan",
        "round",
        "set_aside",
        "supply",
        "used",
        "using",
    )

    def __init__(self, n: int, options: dict[str, Any]) -> None:
        self.n = n
        self.options = options
        self.phase = 0
        self.round = 0
        self.age_rank: list[int] = list(range(n))
        self.gems: list[int] = [same(START_GEMS)] * n
        self.money: list[int] = [0] * n
        self.held: list[list[str]] = [[] for _ in range(n)]
        self.supply: int = same(PER_COLOUR - START_GEMS * n)

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

        self.cards: list[Any] = [None] * n
        self.actions: list[str | None] = [None] * n
        self.event: str | None = None
        self.plan: tuple[tuple[str, tuple[Seat, ...]], ...] = ()
        """The chosen actions of the round in their order, each with its choosers."""
        self.at = 0
        """How many of them have begun."""
        self.barter: Barter | None = None
        self.using: str | None = None
        """The immediate event card whose use is being decided."""
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
    copy.phase = state.phase
    copy.round = state.round
    copy.age_rank = state.age_rank
    copy.gems = state.gems[:]
    copy.money = state.money[:]
    copy.held = [held[:] for held in state.held]
    copy.supply = state.supply
    copy.gem_pile = state.gem_pile[:]
    copy.used = state.used[:]
    copy.set_aside = state.set_aside
    copy.aside = state.aside
    copy.event_pile = state.event_pile[:]
    copy.discards = state.discards[:]
    copy.cards = state.cards[:]
    copy.actions = state.actions[:]
    copy.event = state.event
    copy.plan = state.plan
    copy.at = state.at
    copy.barter = barter.clone(state.barter) if state.barter else None
    copy.using = state.using
    copy.picking = state.picking
    copy.decision = state.decision
    copy.asked = state.asked
    copy.moves = state.moves
    return copy
