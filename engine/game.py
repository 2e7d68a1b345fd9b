"""What a game is: the contract every game fulfils, and the words all games share.

A game is a set of functions over a position that only its own module looks into. Chance enters
through an `Rng`; what happened is told to a listener, if there is one, as the steps of a record.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from engine.penalty import BEHIND_BEST, Penalty
from engine.rng import Rng

Seat = int
Json = Any
"""A value as JSON knows it."""
View = dict[str, Any]
State = Any
"""A position. Its type belongs to its game; everybody else hands it on unopened."""

Listener = Callable[[str, State, dict[str, Any]], None]
"""Called after each step with its type, the position after it, and the step's further fields."""

NOT_ASKED = "It is not your turn."
NOBODY: tuple[Seat, ...] = ()
PUBLIC: Seat = -1
"""In place of a seat: what everybody knows."""
SEAT_LETTERS = "ABCDE"


class Options(Protocol):
    """The legal moves of a seat: a sequence that may be too long to be written out."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> str: ...
    def __contains__(self, move: object, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...


class IllegalMove(ValueError):
    """A move the rules do not allow, with the reason as a sentence."""

    def __init__(self, seat: Seat, move: object, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat
        self.move = move
        self.reason = reason


class BadSetup(ValueError):
    """A game, number of seats or option that cannot be played, said in a sentence."""


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


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """One game: its facts and its functions."""

    slug: str
    name: str
    rules: str
    """Version of the rules; raised whenever an old record would no longer re-run."""
    former_rules: tuple[str, ...]
    """Versions whose records re-run all the same; only what their `end` step tells differs."""
    seats: tuple[int, ...]
    options_allowed: Mapping[str, Option]
    catalogue: Mapping[str, Mapping[str, Any]]
    """What is on each card, by its id."""
    package: str
    """Where RULES.md, the rules for people, lies."""
    longest: Callable[[int, Mapping[str, Any]], int]
    """A bound on the decisions of a match with these seats and options."""

    start: Callable[..., State]
    to_move: Callable[[State], tuple[Seat, ...]]
    options: Callable[[State, Seat], Options]
    illegal_reason: Callable[[State, Seat, str], str | None]
    play: Callable[..., None]
    view: Callable[..., View]
    fallback: Callable[[State, Seat], str]
    outcome: Callable[[State], Outcome | None]
    clone: Callable[[State], State]
    imagine: Callable[[View, Rng], State]
    narrate: Callable[[Mapping[str, Any], View], str]
    """One English sentence for a step, given the spectator view after it."""
    penalty: Penalty = BEHIND_BEST
    """What a seat notes in a series of games."""
    order: int = 100
    """Where it stands in lists of games: the lowest first, equals by slug."""

    def __repr__(self) -> str:
        return f"<Game {self.slug}>"

    def resolve_options(self, seats: int, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The complete options of a match, or `BadSetup` with the reason."""
        return resolve_options(self.name, self.seats, self.options_allowed, seats, given or {})


def resolve_options(
    name: str,
    seat_counts: tuple[int, ...],
    allowed: Mapping[str, Option],
    seats: int,
    given: Mapping[str, Any],
) -> dict[str, Any]:
    """Check the number of seats and fill the given options up with defaults."""
    if seats not in seat_counts:
        counts = f"{', '.join(map(str, seat_counts[:-1]))} or {seat_counts[-1]}"
        raise BadSetup(f"{name} is played by {counts} seats, not {seats}.")
    for key, value in given.items():
        if key not in allowed:
            raise BadSetup(f"{name} has no option {key!r}; it has {', '.join(allowed)}.")
        option = allowed[key]
        # To Python, true is 1 and 1.0 is 1; in a record they are not.
        out_of_range = type(value) in (bool, float) or value not in option.allowed
        if out_of_range or (option.is_seat and value is not None and value >= seats):
            raise BadSetup(f"{key} cannot be {value!r}: {option.meaning}.")
    return {key: given.get(key, option.default) for key, option in allowed.items()}


def placements(keys: Sequence[Any]) -> list[int]:
    """Places from 1 by descending key; equal keys share a place and the next one is skipped."""
    return [1 + sum(other > key for other in keys) for key in keys]


class AwaitingMoves(Protocol):
    """A position that waits for moves: what is decided, by whom, and what each may do."""

    decision: str | None
    asked: tuple[Seat, ...]
    moves: Options


def ask(state: AwaitingMoves, decision: str, seat: Seat, moves: Options) -> None:
    """Let one seat decide next."""
    state.decision = decision
    state.asked = (seat,)
    state.moves = moves


def to_move(state: AwaitingMoves) -> tuple[Seat, ...]:
    """The seats asked now."""
    return state.asked


def options(state: AwaitingMoves, seat: Seat) -> Options:
    """The legal moves of a seat; none if it is not asked."""
    return state.moves if seat in state.asked else ()


def quoted(move: str) -> str:
    """A stranger's move as it may appear in a sentence: marked as such and not too long."""
    return repr(move if len(move) <= 40 else move[:39] + "…")


def say_one_of(move: str, words: Options) -> str:
    """The reason that a move is none of these few words."""
    said = f"{', '.join(list(words)[:-1])} or {words[len(words) - 1]}"
    return f"{quoted(move)} is not a move here; say {said}."


def refuse(
    state: AwaitingMoves,
    moves: Sequence[str],
    illegal_reason: Callable[[State, Seat, str], str | None],
) -> NoReturn:
    """Raise the reason that these moves cannot be played now."""
    if not state.asked:
        raise ValueError("the game is over")
    if len(moves) != len(state.asked):
        raise ValueError(f"{len(state.asked)} seats are asked, {len(moves)} moves were given")
    for seat, move in zip(state.asked, moves, strict=True):
        reason = illegal_reason(state, seat, move)
        if reason is not None:
            raise IllegalMove(seat, move, reason)
    raise AssertionError("all these moves are legal")
