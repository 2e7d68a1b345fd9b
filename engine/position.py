"""Positions that know what is decided: who is asked, what each may do, and why not.

A game may keep its positions otherwise; whoever does it like this has these functions for free.
"""

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import NoReturn, Protocol, TypeVar

from engine.seats import Seat

NOT_ASKED = "It is not your turn."

K = TypeVar("K", float, tuple[float, ...])
"""What places are decided by: a number, or numbers of which the first that differs counts."""


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


def placements(keys: Sequence[K]) -> list[int]:
    """Return places from 1 by descending key; equals share one, and the next is skipped."""
    return [1 + sum(other > key for other in keys) for key in keys]


class AwaitingSeats(Protocol):
    """A position that knows who is asked."""

    asked: tuple[Seat, ...]


class AwaitingMoves(AwaitingSeats, Protocol):
    """A position that waits for moves: what is decided, by whom, and what each may do."""

    decision: str | None
    moves: Options


def ask(state: AwaitingMoves, decision: str, seat: Seat, moves: Options) -> None:
    """Let one seat decide next."""
    state.decision = decision
    state.asked = (seat,)
    state.moves = moves


to_move: Callable[[AwaitingSeats], tuple[Seat, ...]] = attrgetter("asked")
"""Returns the seats asked now."""


def options(state: AwaitingMoves, seat: Seat) -> Options:
    """Return the legal moves of a seat; none if it is not asked."""
    return state.moves if seat in state.asked else ()


def quoted(move: str) -> str:
    """Return a move of unknown origin for a sentence: quoted, and not too long."""
    return repr(move if len(move) <= 40 else move[:39] + "…")


def say_one_of(move: str, words: Options) -> str:
    """Return the reason that a move is none of these few words."""
    choices = f"{', '.join(list(words)[:-1])} or {words[len(words) - 1]}"
    return f"{quoted(move)} is not a move here; say {choices}."


W = TypeVar("W", bound=AwaitingSeats)


def refuse(
    state: W,
    moves: Sequence[str],
    illegal_reason: Callable[[W, Seat, str], str | None],
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
