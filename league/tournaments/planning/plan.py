"""The values of all formats: entries, tables, rounds and the results of matches.

Everything here is a value. A planner reads the rounds played so far and returns the next one, so
that after a crash the planner is called again with the same rounds. Nothing here reads a clock or
a database.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal, TypeVar

from engine.rng import Rng

T = TypeVar("T")
EntryId = int
Status = Literal["playing", "withdrawn", "disqualified"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot in a tournament: its place in the seeding (1 is the strongest) and how it stands."""

    id: EntryId
    rank: int
    rating: float | None = None
    """The cautious rating, frozen when the entries were locked."""
    status: Status = "playing"


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, seat by seat. A match that could not be played has no placements."""

    placements: tuple[int, ...]
    scores: tuple[int, ...]
    forfeits: tuple[int, ...] = ()
    """The seats that forfeited."""

    @property
    def void(self) -> bool:
        """Return whether the match is void and counts for nobody."""
        return not self.placements


VOID = Result((), ())


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """One match of a table: which deal is dealt, and which entry takes which seat."""

    deal: int
    rotation: int
    seats: tuple[EntryId, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Entries that meet in a round, in seat order, for a number of deals."""

    number: int
    entries: tuple[EntryId, ...]
    deals: int = 1
    mirrored: bool = False
    """Whether each deal is played once for every rotation of the seats."""
    advance: int = 0
    """How many go on to the next round, in a knock-out."""
    results: tuple[Result | None, ...] = ()
    """What is known of the matches, in their order; None while a match is not finished."""

    @property
    def letter(self) -> str:
        """Return A for the first table, and AA after Z."""
        return letters(self.number)

    def matches(self) -> tuple[PlannedMatch, ...]:
        """Return every match of this table. Without mirroring, the seats rotate with each deal."""
        size = len(self.entries)
        turns = [
            (deal, rotation)
            for deal in range(1, self.deals + 1)
            for rotation in (range(size) if self.mirrored else [(deal - 1) % size])
        ]
        return tuple(PlannedMatch(deal, turn, rotated(self.entries, turn)) for deal, turn in turns)

    def played(self) -> Iterator[tuple[PlannedMatch, Result]]:
        """Yield the matches that have ended, void ones included."""
        for match, result in zip(self.matches(), self.results, strict=False):
            if result is not None:
                yield match, result

    @property
    def complete(self) -> bool:
        """Return whether no match is left to play."""
        return sum(1 for _ in self.played()) == len(self.matches())


@dataclass(frozen=True, slots=True)
class Round:
    """Tables played side by side, and who sits out."""

    number: int
    tables: tuple[Table, ...]
    byes: tuple[EntryId, ...] = ()

    @property
    def complete(self) -> bool:
        """Return whether every table is complete."""
        return all(table.complete for table in self.tables)

    @property
    def games(self) -> int:
        """Return the number of matches of all tables."""
        return sum(len(table.matches()) for table in self.tables)

    def to_json(self) -> dict[str, Any]:
        """Return this round with its results, as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Round":
        """Return the round that `to_json` wrote."""
        tables = tuple(_table(table) for table in data["tables"])
        return cls(data["number"], tables, tuple(data["byes"]))

    def with_results(self, results: Sequence[Sequence[Result | None]]) -> "Round":
        """Return this round with results, table by table."""
        pairs = zip(self.tables, results, strict=True)
        return replace(self, tables=tuple(replace(t, results=tuple(r)) for t, r in pairs))


def _table(data: dict[str, Any]) -> Table:
    results = (
        result and Result(*(tuple(result[key]) for key in ("placements", "scores", "forfeits")))
        for result in data["results"]
    )
    return Table(**data | {"entries": tuple(data["entries"]), "results": tuple(results)})


def letters(number: int) -> str:
    """Return A for 1, Z for 26, AA for 27."""
    text = ""
    while number:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("A") + digit) + text
    return text


def rotated(entries: tuple[EntryId, ...], turn: int) -> tuple[EntryId, ...]:
    """Return the same entries, each `turn` seats further on."""
    split = -turn % len(entries)
    return entries[split:] + entries[:split]


def shuffled(items: Iterable[T], rng: Rng) -> list[T]:
    """Return the same items in random order, however many there are."""
    order = list(items)
    for index in range(len(order) - 1, 0, -1):
        other = rng.below(index + 1)
        order[index], order[other] = order[other], order[index]
    return order


def playing(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries still in the tournament, strongest seed first."""
    return sorted(
        (entry for entry in entries if entry.status == "playing"),
        key=lambda entry: (entry.rank, entry.id),
    )


def meetings(rounds: Iterable[Round]) -> Counter[frozenset[EntryId]]:
    """Count at how many tables each pair of entries has met."""
    return Counter(
        frozenset(pair)
        for played in rounds
        for table in played.tables
        for pair in combinations(table.entries, 2)
    )


def byes(rounds: Iterable[Round]) -> Counter[EntryId]:
    """Count how often each entry has sat out."""
    return Counter(entry for played in rounds for entry in played.byes)


def seats_taken(rounds: Iterable[Round]) -> Counter[tuple[EntryId, int]]:
    """Count how often each entry has had each seat, in matches."""
    return Counter(
        (entry, seat)
        for played in rounds
        for table in played.tables
        for match in table.matches()
        for seat, entry in enumerate(match.seats)
    )


def shared_points(placements: Sequence[int], scheme: Sequence[int]) -> list[Fraction]:
    """Return the points of a match by seat: those who share a place share its points equally."""
    holders = Counter(placements)
    return [
        Fraction(sum(scheme[place - 1 : place - 1 + holders[place]]), holders[place])
        for place in placements
    ]
