"""What a game is: the contract every game fulfils, and what all games share.

A game is a set of functions over a position that only its own folder looks into. Chance enters
through an `Rng`; what happened is told to a listener, if there is one, as the steps of a record.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Protocol

from engine.facets.insight import Insight
from engine.facets.presentation import Presentation
from engine.facets.statistics import Statistics
from engine.penalty import BEHIND_BEST, Penalty
from engine.position import (
    NOT_ASKED,
    AwaitingMoves,
    IllegalMove,
    Options,
    ask,
    options,
    placements,
    quoted,
    refuse,
    say_one_of,
    to_move,
)
from engine.record.types import AnyStep, Json, View
from engine.rng import Rng
from engine.seats import NOBODY, PUBLIC, SEAT_LETTERS, Seat, seat_letter

__all__ = [
    "NOBODY",
    "NOT_ASKED",
    "PUBLIC",
    "SEAT_LETTERS",
    "AwaitingMoves",
    "BadSetup",
    "Game",
    "IllegalMove",
    "Json",
    "Listener",
    "Option",
    "Options",
    "Outcome",
    "Seat",
    "View",
    "ask",
    "options",
    "placements",
    "quoted",
    "refuse",
    "resolve_options",
    "say_one_of",
    "seat_letter",
    "to_move",
]

if TYPE_CHECKING:
    # A game that is looked up by its slug has positions of some type: `Game` means `Game[Any]`.
    from typing_extensions import TypeVar

    S = TypeVar("S", default=Any)
    S_co = TypeVar("S_co", covariant=True, default=Any)
    S_contra = TypeVar("S_contra", contravariant=True, default=Any)
else:
    from typing import TypeVar

    S = TypeVar("S")
    S_co = TypeVar("S_co", covariant=True)
    S_contra = TypeVar("S_contra", contravariant=True)

MAX_DECISIONS = 10_000
"""Of a match whose game states no bound of its own."""


class Listener(Protocol[S_contra]):
    """Called after each step with its type, the position after it, and the step's further fields.

    A decision has `seat`, `move` and `forced`, or `moves` and `forced` as lists of all seats. The
    first step is `start`, the last one `end` with `placements` and `scores`.
    """

    def __call__(self, t: str, state: S_contra, fields: dict[str, Json], /) -> None: ...


class Starter(Protocol[S_co]):
    """Set up the first position."""

    def __call__(
        self,
        seats: int,
        chosen: Mapping[str, Json],
        rng: Rng,
        tell: Listener[S_co] | None = None,
        /,
    ) -> S_co: ...


class Player(Protocol[S]):
    """Apply one move for each seat asked, and go on to the next decision."""

    def __call__(
        self, state: S, moves: Sequence[str], rng: Rng, tell: Listener[S] | None = None, /
    ) -> None: ...


class Viewer(Protocol[S_contra]):
    """Return the table as spectators see it, or as a seat or the public does."""

    def __call__(self, state: S_contra, seat: Seat | None = None, /) -> View: ...


class BadSetup(ValueError):
    """A game, number of seats or option that cannot be played; its text is a sentence."""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice an organiser has: its default and the values it may take."""

    default: Json
    allowed: Container[Json]
    meaning: str
    is_seat: bool = False
    """Whether it names one of the seats."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: places from 1 (shared by equals), scores, and why it was over."""

    placements: list[int]
    scores: list[int]
    reason: str


def _describe(step: AnyStep, view: View) -> str:  # noqa: ARG001  games look at the view
    """Tell a step of a game that has no sentences of its own."""
    if "moves" in step:
        return (
            "; ".join(f"{{{seat}}} plays {move}" for seat, move in enumerate(step["moves"])) + "."
        )
    if "move" in step:
        return f"{{{step['seat']}}} plays {step['move']}."
    return f"{str(step['t']).replace('_', ' ').capitalize()}."


_DERIVED: Any = None
"""Stands for a function that follows from the others."""


def _refuse_to_imagine(view: View, rng: Rng) -> NoReturn:  # noqa: ARG001
    raise BadSetup("This game cannot imagine positions from a view.")


def _default_bound(seats: int, chosen: Mapping[str, Json]) -> int:  # noqa: ARG001
    return MAX_DECISIONS


@dataclass(frozen=True, slots=True, repr=False)
class Game(Generic[S]):
    """One game: its facts, its functions, and what it can say about itself.

    Only the rules are required; everything else has a default that works.
    """

    slug: str
    name: str
    rules: str
    """Version of the rules; raised whenever an old record would no longer re-run."""
    seats: tuple[int, ...]

    start: Starter[S]
    to_move: Callable[[S], tuple[Seat, ...]]
    """The seats asked now: several, one, or none if it is over. Never one with a single move."""
    options: Callable[[S, Seat], Options]
    play: Player[S]
    view: Viewer[S]
    outcome: Callable[[S], Outcome | None]

    illegal_reason: Callable[[S, Seat, str], str | None] = _DERIVED
    """None if the move is legal, otherwise a sentence that names the reason."""
    fallback: Callable[[S, Seat], str] = _DERIVED
    """The move played for a seat that failed."""
    clone: Callable[[S], S] = deepcopy
    imagine: Callable[[View, Rng], S] = _refuse_to_imagine
    """A position that a seat's view allows, for bots that search."""
    narrate: Callable[[AnyStep, View], str] = _describe
    """One English sentence for a step, given the spectator view after it."""

    package: str = ""
    """Where RULES.md, the rules for people, lies."""
    former_rules: tuple[str, ...] = ()
    """Versions whose records re-run all the same; only what their `end` step tells differs."""
    options_allowed: Mapping[str, Option] = field(default_factory=dict)
    catalogue: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    """What is on each card, by its id."""
    max_decisions: Callable[[int, Mapping[str, Json]], int] = _default_bound
    """A bound on the decisions of a match with these seats and options."""
    penalty: Penalty = BEHIND_BEST
    """What a seat notes in a series of games."""
    order: int = 100
    """Where it stands in lists of games: the lowest first, equals by slug."""
    presentation: Presentation = field(default_factory=Presentation)
    statistics: Statistics = field(default_factory=Statistics)
    insight: Insight[S] = field(default_factory=Insight)

    def __post_init__(self) -> None:
        if self.illegal_reason is _DERIVED:
            object.__setattr__(self, "illegal_reason", self._not_an_option)
        if self.fallback is _DERIVED:
            object.__setattr__(self, "fallback", self._first_option)

    def __repr__(self) -> str:
        return f"<Game {self.slug}>"

    @property
    def can_imagine(self) -> bool:
        """Whether positions can be imagined from a view."""
        return self.imagine is not _refuse_to_imagine

    def _not_an_option(self, state: S, seat: Seat, move: str) -> str | None:
        if seat not in self.to_move(state):
            return NOT_ASKED
        legal = self.options(state, seat)
        return None if move in legal else f"{quoted(move)} is not one of the {len(legal)} moves."

    def _first_option(self, state: S, seat: Seat) -> str:
        return self.options(state, seat)[0]

    def resolve_options(
        self, seats: int, chosen: Mapping[str, Json] | None = None
    ) -> dict[str, Json]:
        """Return the complete options of a match, or raise `BadSetup` with the reason."""
        return resolve_options(self.name, self.seats, self.options_allowed, seats, chosen or {})


def resolve_options(
    name: str,
    seat_counts: tuple[int, ...],
    allowed: Mapping[str, Option],
    seats: int,
    chosen: Mapping[str, Json],
) -> dict[str, Json]:
    """Check the number of seats, and complete the chosen options with defaults."""
    if seats not in seat_counts:
        counts = " or ".join(", ".join(map(str, seat_counts)).rsplit(", ", 1))
        raise BadSetup(f"{name} is played by {counts} seats, not {seats}.")
    for key, value in chosen.items():
        if key not in allowed:
            raise BadSetup(f"{name} has no option {key!r}; it has {', '.join(allowed) or 'none'}.")
        option = allowed[key]
        # To Python, true is 1 and 1.0 is 1; in a record they are not.
        out_of_range = type(value) in (bool, float) or value not in option.allowed
        if out_of_range or (option.is_seat and value is not None and value >= seats):
            raise BadSetup(f"{key} cannot be {value!r}: {option.meaning}.")
    return {key: chosen.get(key, option.default) for key, option in allowed.items()}
