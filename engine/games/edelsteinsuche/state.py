"""A position of Edelsteinsuche.

The four rows are one flat list of twenty places: slot s of row r is place `5 * r + s - 1`.
"""

from typing import TypeAlias

from engine.game import NOBODY, Json, Listener, Option, Options, Seat
from engine.games.edelsteinsuche.cards import SERIES
from engine.games.edelsteinsuche.sight import Sight

OPTIONS = {
    "max_turns_per_seat": Option(100, range(1, 1001), "it is a number from 1 to 1000"),
    "dealer": Option(
        None, (None, 0, 1, 2, 3), "it is a seat, or null to leave it to chance", is_seat=True
    ),
}

SEATS = (2, 3, 4)
ROWS = 4
PLACES = ROWS * SERIES
OWNERS = {n: [1 << row if row < n else 0 for row in range(ROWS)] for n in SEATS}
"""The bit of each row's owner; nobody owns an avatar row (R-40)."""

TURN_START = "TURN_START"
DRAW = "DRAW"
PLACE = "PLACE"
UNIQUE_MORE = "UNIQUE_MORE"

DRAWS = [f"draw {row}.{slot}" for row in range(ROWS) for slot in range(1, SERIES + 1)]
HIDES = [f"hide {slot}" for slot in range(1, SERIES + 1)]


class State:
    """Everything on the table. Cards are their ids, places are numbers from 0 to 19."""

    __slots__ = (
        "active",
        "asked",
        "cards",
        "coverable",
        "dealer",
        "decision",
        "drawable",
        "exchanges",
        "knowers",
        "missing",
        "moves",
        "n",
        "options",
        "sights",
        "source",
        "turn",
        "types",
        "unique",
        "unique_used",
        "up",
    )

    def __init__(self, n: int, options: dict[str, Json]) -> None:
        self.n = n
        self.options = options
        self.dealer: Seat = 0
        self.turn = 0
        self.active: Seat = 0
        self.types: list[str] = []
        """The prospector of each seat."""
        self.unique_used: list[bool] = [False] * n
        """A prospector is revealed by the unique move and by nothing else."""
        self.missing: list[int] = [SERIES] * n

        self.cards: list[str] = []
        """The card of each place; a drawn card stays listed at its source until it is placed."""
        self.up: list[bool] = [False] * PLACES
        self.knowers: list[int] = [bit for bit in OWNERS[n] for _ in range(SERIES)]
        """Who knows the card of each place, a bit per seat. All movements are public, so whoever
        has seen a card knows it wherever it goes: this is the whole `known` table (R-48)."""

        self.sights: dict[Seat | None, Sight] = {}
        """What those who have looked see of the places, up to date; None stands for spectators."""

        self.unique = False
        """Whether the running turn is a unique move."""
        self.exchanges = 0
        """How many exchanges that unique move has made."""
        self.source: int | None = None
        """Where the card in the active seat's hand was drawn."""
        self.drawable: list[tuple[str, ...]] = []
        self.coverable: list[tuple[str, ...]] = []
        """The draws and the hidden placements of each seat; they change when a card is shown."""
        self.decision: str | None = None
        self.asked: tuple[Seat, ...] = NOBODY
        self.moves: Options = ()
        """What the seat asked may do."""


def list_choices(state: State) -> None:
    """List what each seat may draw and cover: only what lies face down (R-42, R-43)."""
    down = [not up for up in state.up]
    state.drawable = []
    state.coverable = []
    for seat in range(state.n):
        own, after = seat * SERIES, (seat + 1) * SERIES
        draws = [DRAWS[at] for at in range(PLACES) if down[at] and not own <= at < after]
        state.drawable.append(tuple(draws))
        hides = [HIDES[slot] for slot in range(SERIES) if down[own + slot]]
        state.coverable.append(tuple(hides))


def clone(state: State) -> State:
    """Return an independent copy."""
    copy = State.__new__(State)
    copy.n = state.n
    copy.options = state.options
    copy.dealer = state.dealer
    copy.turn = state.turn
    copy.active = state.active
    copy.types = state.types
    copy.unique_used = state.unique_used[:]
    copy.missing = state.missing[:]
    copy.cards = state.cards[:]
    copy.up = state.up[:]
    copy.knowers = state.knowers[:]
    copy.sights = {}
    copy.unique = state.unique
    copy.exchanges = state.exchanges
    copy.source = state.source
    # Whenever they change, both lists are made anew.
    copy.drawable = state.drawable
    copy.coverable = state.coverable
    copy.decision = state.decision
    copy.asked = state.asked
    copy.moves = state.moves
    return copy


Tell: TypeAlias = Listener[State] | None
"""Who listens to what happens, if anybody does."""
