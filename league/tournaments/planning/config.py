"""What an organiser chooses, whatever the format: a frozen value that says what is wrong with it.

A config is stored as JSON. Each format adds its own fields in its own module.
"""

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self

from league.tournaments.planning.plan import EntryId, Result, Round, Table, shared_points

MAX_ENTRIES = 200
MAX_DEALS = 100
MAX_ROUNDS = 400
SEATS = range(2, 6)

TieBreak = Literal["head-to-head", "score", "rating"]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a field, as a sentence for its owner."""

    field: str
    message: str


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
        """Everything that is wrong with these choices."""
        found = []
        if self.seats not in SEATS:
            found.append(Problem("seats", "A table has 2 to 5 seats."))
        if not 1 <= self.deals <= MAX_DEALS:
            found.append(Problem("deals", f"Choose 1 to {MAX_DEALS} deals."))
        return found + self._problems_of_points()

    def _problems_of_points(self) -> list[Problem]:
        if not self.points:
            return []
        message = None
        if len(self.points) != self.seats:
            message = f"Name {self.seats} numbers, one for each place at a table."
        elif list(self.points) != sorted(self.points, reverse=True) or self.points[-1] < 0:
            message = "Points must not rise from one place to the next, nor fall below 0."
        elif self.points[0] == self.points[-1]:
            message = "The first place must be worth more than the last."
        return [Problem("points", message)] if message else []

    def refusal_reason(self, entries: int) -> str | None:
        """None if so many entries can play, otherwise the reason as a sentence."""
        if entries < self.seats:
            there = "1 bot does" if entries == 1 else f"{entries} bots do"
            return f"{there} not fill a table of {self.seats}. At least {self.seats} are needed."
        if entries > MAX_ENTRIES:
            return f"{entries} bots are too many: at most {MAX_ENTRIES} can enter."
        return None

    @property
    def scheme(self) -> tuple[int, ...]:
        """The points of each place."""
        return self.points or tuple(range(self.seats - 1, -1, -1))

    @property
    def counted(self) -> str:
        """What decides, in words."""
        return f"{', '.join(map(str, self.scheme))} points by place"

    @property
    def games_per_table(self) -> int:
        """How many matches a table plays in a round."""
        return self.deals * (self.seats if self.mirrored else 1)

    def table(self, number: int, entries: Sequence[EntryId], advance: int = 0) -> Table:
        """A table with these entries in seat order."""
        return Table(number, tuple(entries), self.deals, self.mirrored, advance)

    def award(self, result: Result) -> list[Fraction]:
        """What each seat gets for a match."""
        return shared_points(result.placements, self.scheme)

    def idle(self, _played: Round) -> Fraction:
        """What a match is worth that was not played: to sit out is neither lucky nor unlucky."""
        return Fraction(sum(self.scheme), self.seats)

    def to_json(self) -> dict[str, Any]:
        """These choices as JSON knows them."""
        return {key: list(v) if isinstance(v, tuple) else v for key, v in asdict(self).items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The config that was written down; `BadConfig` if it is none or cannot be played."""
        known = {field.name: field.default for field in fields(cls)}
        found = [
            Problem(key, f"There is no choice called {_shown(key)}.") for key in data.keys() - known
        ]
        given: dict[str, Any] = {key: _frozen(data[key]) for key in known.keys() & data.keys()}
        found += [
            Problem(key, f"{key} cannot be {_shown(data[key])}.")
            for key, value in given.items()
            if not _alike(value, known[key])
        ]
        if found:
            raise BadConfig(sorted(found, key=lambda problem: problem.field))
        config = cls(**given)
        if problems := config.problems():
            raise BadConfig(problems)
        return config


def _shown(value: object) -> str:
    """Return a value for a message: the beginning of a long one, escaped where it must be."""
    return reprlib.repr(value).encode("ascii", "backslashreplace").decode()


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _alike(value: object, default: object) -> bool:
    """Whether a value is of the kind of its default. To Python, true is a number; not to us."""
    if isinstance(value, tuple):
        return default == () and all(type(item) is int for item in value)
    return default is not MISSING and type(value) is type(default)
