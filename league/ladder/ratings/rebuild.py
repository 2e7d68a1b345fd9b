"""Computing a ledger again from the starts and the matches, to verify every digit."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import transaction

from bots_sdk.rating.skill import Rating
from league.database import rows
from league.ladder.models import Entry, Ladder, LadderRating, RatingChange
from league.ladder.ratings import arithmetic, history, statements
from league.ladder.ratings.ledger import Change, rate_match, start
from league.matches.models import Match, Seat

CHUNK = 2000
MAX_NAMED = 20
"""So many differences are listed; all are counted."""


@dataclass(slots=True)
class Rebuilt:
    """The result of a rebuild."""

    matches: int = 0
    differences: int = 0
    named: list[str] = field(default_factory=list)

    def differs(self, what: str) -> None:
        """Note a difference."""
        self.differences += 1
        if len(self.named) < MAX_NAMED:
            self.named.append(what)


class _Sat(NamedTuple):
    """A seat of a rated match."""

    match: int
    number: int
    version: int
    bot: int
    place: int
    faulty: bool


class _Table(NamedTuple):
    """A rated match."""

    position: int
    day: date
    seats: list[_Sat]


class _Line(NamedTuple):
    """A line of the ledger; its key stands last, so that the others can be compared at once."""

    position: int
    seat: int
    match: int
    version: int
    mu_before: float
    sigma_before: float
    mu: float
    sigma: float
    expected: float
    pk: int


_LINE_FIELDS = (
    *("ledger_position", "seat", "match", "version"),
    *("mu_before", "sigma_before", "mu", "sigma", "expected", "pk"),
)


class _Lines:
    """The stored lines beside the matches they belong to, both in the order of the ledger."""

    def __init__(self, game: str, result: Rebuilt) -> None:
        lines = RatingChange.objects.filter(ladder=game).order_by("ledger_position", "seat")
        rows = lines.values_list(*_LINE_FIELDS).iterator(chunk_size=CHUNK)
        self._lines = rows
        self._next: tuple[Any, ...] | None = next(rows, None)
        self._result = result
        self.repairs: list[tuple[float | int, ...]] = []
        """Rows of `statements.REPAIR_LINES`."""

    def compare(self, position: int, sat: _Sat, change: Change) -> None:
        """Compare the next line with what a match did to a seat."""
        before, after = change.before, change.after
        ratings = (before.mu, before.sigma, after.mu, after.sigma, change.expected)
        line = self._next
        if line is not None and line[:-1] == (
            *(position, sat.number, sat.match, sat.version),
            *ratings,
        ):
            self._next = next(self._lines, None)
        elif line is None or line[:2] != (position, sat.number):
            self._result.differs(f"no. {position} seat {sat.number}: the line is missing")
        else:
            stored = _Line._make(line)
            self._result.differs(f"no. {position} seat {sat.number}: {stored.mu} is not {after.mu}")
            self.repairs.append((*ratings, stored.pk))
            self._next = next(self._lines, None)

    def end(self) -> None:
        """Note a line that no match is left for."""
        if self._next is not None:
            line = _Line._make(self._next)
            self._result.differs(
                f"no. {line.position} seat {line.seat}: there is no match for the line"
            )


@transaction.atomic
def rebuild(game: str, *, write: bool) -> Rebuilt:
    """Compare the whole ledger with the matches; if `write`, repair what differs."""
    Ladder.objects.select_for_update().get(game=game)
    result = Rebuilt()
    ratings: dict[int, Rating] = {}
    played: Counter[int] = Counter()
    days, tallies = history.Days(), history.Tallies()
    starts = list(LadderRating.objects.filter(ladder=game).order_by("-after_no", "-pk"))
    versions = arithmetic.Versions(game)
    lines = _Lines(game, result)
    for position, day, seats in _tables(game):
        _begin(position, starts, ratings, result)
        changes = rate_match(
            versions.at(position),
            ratings,
            [sat.version for sat in seats],
            [sat.place for sat in seats],
        )
        result.matches += 1
        for sat, change in zip(seats, changes, strict=True):
            played[sat.version] += 1
            tallies.add(sat.bot, len(seats), sat.place, sat.faulty)
            days.add(sat.bot, sat.version, day, change.after.mu, change.after.sigma)
            lines.compare(position, sat, change)
    lines.end()
    _begin(None, starts, ratings, result)
    stale = _stale(game, ratings, played, result)
    counts = _miscounted(game, tallies.counts_of_bots(), result)
    for what in [*history.wrong_days(game, days), *history.wrong_tallies(game, tallies)]:
        result.differs(what)
    if write:
        statements.execute(statements.REPAIR_LINES, lines.repairs)
        rows.update(LadderRating, stale, ["mu", "sigma", "matches"])
        rows.update(Entry, counts, ["matches", "firsts", "faulty"])
        history.write(game, days, tallies)
    return result


def _tables(game: str) -> Iterator[_Table]:
    """Yield the rated matches with their seats, in the order of the ledger."""
    matches = (
        Match.objects.filter(game=game, ledger_position__isnull=False)
        .order_by("ledger_position")
        .values_list("ledger_position", "pk", "finished_at", "revealed_at")
    )
    seats = (
        Seat.objects.filter(match__game=game, match__ledger_position__isnull=False)
        .order_by("match__ledger_position", "number")
        .values_list("match", "number", "version", "bot", "place", "faulty")
    )
    # The time of a match is read once, not with each of its seats: parsing it takes time.
    sats = map(_Sat._make, seats.iterator(chunk_size=CHUNK))
    tables = (list(table) for _, table in groupby(sats, attrgetter("match")))
    table = next(tables, None)
    for position, match, finished_at, revealed_at in matches.iterator(chunk_size=CHUNK):
        assert position is not None
        assert finished_at is not None
        if table is not None and table[0].match == match:
            yield _Table(position, (revealed_at or finished_at).date(), table)
            table = next(tables, None)


def _begin(
    number: int | None, starts: list[LadderRating], ratings: dict[int, Rating], result: Rebuilt
) -> None:
    """Start the versions that began before this match of the ledger."""
    while starts and (number is None or starts[-1].after_no < number):
        row = starts.pop()
        rating = start(ratings.get(row.inherited_from_id) if row.inherited_from_id else None)
        if (row.start_mu, row.start_sigma) != (rating.mu, rating.sigma):
            result.differs(f"start of version {row.version_id}: {row.start_mu} is not {rating.mu}")
        ratings[row.version_id] = rating


def _stale(
    game: str, ratings: dict[int, Rating], played: Counter[int], result: Rebuilt
) -> list[LadderRating]:
    """Return the ratings that differ from the end of the ledger."""
    stale = []
    for row in LadderRating.objects.filter(ladder=game).order_by("pk"):
        now = ratings[row.version_id]
        if (row.mu, row.sigma, row.matches) != (now.mu, now.sigma, played[row.version_id]):
            result.differs(f"version {row.version_id}: {row.mu} is not {now.mu}")
            row.mu, row.sigma, row.matches = now.mu, now.sigma, played[row.version_id]
            stale.append(row)
    return stale


def _miscounted(game: str, counts: dict[int, history.Counts], result: Rebuilt) -> list[Entry]:
    """Return the entries whose counts differ from the ledger, corrected."""
    wrong = []
    for entry in Entry.objects.filter(ladder=game):
        right = counts.get(entry.bot_id, (0, 0, 0))
        if (entry.matches, entry.firsts, entry.faulty) != right:
            result.differs(f"bot {entry.bot_id}: its matches are counted wrongly")
            entry.matches, entry.firsts, entry.faulty = right
            wrong.append(entry)
    return wrong
