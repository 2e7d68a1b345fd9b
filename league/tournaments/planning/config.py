"""What an organiser chooses in every format: a frozen value that can say what is wrong with it.

A config is stored as JSON. Each format adds its own fields in its own module.
"""

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self

from engine.registry import GAMES
from league.tournaments.planning.plan import EntryId, Result, Round, Table, shared_points

MAX_ENTRIES = 200
MAX_DEALS = 100
MAX_ROUNDS = 400

TieBreak = Literal["head-to-head", "score", "rating"]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a field, as a sentence for the organiser."""

    field: str
    message: str


def seat_counts() -> range:
    """Return the sizes of tables from the smallest to the largest of all registered games."""
    sizes = {size for game in GAMES.values() for size in game.seats}
    return range(min(sizes), max(sizes) + 1)


class BadConfig(ValueError):
    """A config that cannot be played, with every reason."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, kw_only=True)
class Config:
    """The choices all formats share."""

    seats: int = 4
    deals: int = 1
    """Deals per table and round."""
    mirrored: bool = False
    """Duplicate deals: every deal is played once for each rotation of the seats."""
    points: tuple[int, ...] = ()
    """For the first, second, … place of a match; empty for the number of seats behind."""
    seed: str = ""
    """Decides what is left to chance in the planning."""

    fewest_wins: ClassVar[bool] = False
    tie_breaks: ClassVar[tuple[TieBreak, ...]] = ("head-to-head", "score", "rating")
    """What decides between equal points, in this order; who is equal in all shares the place."""

    def problems(self) -> list[Problem]:
        """Return everything that is wrong with these choices."""
        problems = []
        sizes = seat_counts()
        if self.seats not in sizes:
            problems.append(Problem("seats", f"A table has {sizes[0]} to {sizes[-1]} seats."))
        if not 1 <= self.deals <= MAX_DEALS:
            problems.append(Problem("deals", f"Choose 1 to {MAX_DEALS} deals."))
        return problems + self._problems_of_points()

    def _problems_of_points(self) -> list[Problem]:
        if not self.points:
            return []
        message = None
        if len(self.points) != self.seats:
            message = f"Enter {self.seats} numbers, one for each place at a table."
        elif list(self.points) != sorted(self.points, reverse=True) or self.points[-1] < 0:
            message = "Points must not rise from one place to the next, nor fall below 0."
        elif self.points[0] == self.points[-1]:
            message = "The first place must be worth more than the last."
        return [Problem("points", message)] if message else []

    def refusal_reason(self, entries: int) -> str | None:
        """Return why this number of entries cannot play, as a sentence; None if it can."""
        if not entries:
            return f"There are no bots yet. At least {self.seats} are needed."
        if entries < self.seats:
            bots = "1 bot does" if entries == 1 else f"{entries} bots do"
            return f"{bots} not fill a table of {self.seats}. At least {self.seats} are needed."
        if entries > MAX_ENTRIES:
            return f"{entries} bots are too many: at most {MAX_ENTRIES} can enter."
        return None

    @property
    def scheme(self) -> tuple[int, ...]:
        """Return the points of each place."""
        return self.points or tuple(range(self.seats - 1, -1, -1))

    @property
    def counted(self) -> str:
        """Return what decides, in words."""
        return f"{', '.join(map(str, self.scheme))} points by place"

    @property
    def games_per_table(self) -> int:
        """Return how many matches a table plays in a round."""
        return self.deals * (self.seats if self.mirrored else 1)

    def table(self, number: int, entries: Sequence[EntryId], advance: int = 0) -> Table:
        """Return a table with these entries in seat order."""
        return Table(number, tuple(entries), self.deals, self.mirrored, advance)

    def award(self, result: Result) -> list[Fraction]:
        """Return what each seat gets for a match."""
        return shared_points(result.placements, self.scheme)

    def idle(self, _played: Round) -> Fraction:
        """Return what an unplayed match is worth, so that a bye is neither luck nor loss."""
        return Fraction(sum(self.scheme), self.seats)

    def to_json(self) -> dict[str, Any]:
        """Return these choices as JSON."""
        return {key: list(v) if isinstance(v, tuple) else v for key, v in asdict(self).items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the config that was stored; `BadConfig` if it cannot be played."""
        known = {field.name: field.default for field in fields(cls)}
        misfits = [
            Problem(key, f"There is no choice called {_excerpt(key)}.")
            for key in data.keys() - known
        ]
        values: dict[str, Any] = {key: _freeze(data[key]) for key in known.keys() & data.keys()}
        misfits += [
            Problem(key, f"{key} cannot be {_excerpt(data[key])}.")
            for key, value in values.items()
            if not _is_like(value, known[key])
        ]
        if misfits:
            raise BadConfig(sorted(misfits, key=lambda problem: problem.field))
        config = cls(**values)
        if problems := config.problems():
            raise BadConfig(problems)
        return config


def _excerpt(value: object) -> str:
    """Return a value for a message: the beginning of a long one, escaped where it must be."""
    return reprlib.repr(value).encode("ascii", "backslashreplace").decode()


def _freeze(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _is_like(value: object, default: object) -> bool:
    """Return whether a value has the type of its default; a bool is no number here."""
    if isinstance(value, tuple):
        return default == () and all(type(item) is int for item in value)
    return default is not MISSING and type(value) is type(default)
