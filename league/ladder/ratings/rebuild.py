"""Computing a ledger again from the starts and the matches, to verify every digit."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from bots_sdk.rating.skill import Rating
from league.database import rows
from league.ladder.models import Entry, Ladder, LadderRating, RatingChange
from league.ladder.ratings import history
from league.ladder.ratings.ledger import Change, rate_match, start
from league.matches.models import Seat

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

    ledger_position: int
    match: int
    number: int
    version: int
    bot: int
    place: int
    faulty: bool
    finished_at: datetime


@transaction.atomic
def rebuild(game: str, *, write: bool) -> Rebuilt:
    """Compare the whole ledger with the matches; if `write`, repair what differs."""
    Ladder.objects.select_for_update().get(game=game)
    result = Rebuilt()
    ratings: dict[int, Rating] = {}
    played: Counter[int] = Counter()
    entries: Counter[tuple[int, str]] = Counter()
    days, tallies = history.Days(), history.Tallies()
    starts = list(LadderRating.objects.filter(ladder=game).order_by("-after_no", "-pk"))
    lines = _lines(game)
    line = next(lines, None)
    repaired: list[RatingChange] = []
    for table in _tables(game):
        _begin(table[0].ledger_position, starts, ratings, result)
        changes = rate_match(ratings, [sat.version for sat in table], [sat.place for sat in table])
        result.matches += 1
        for sat, change in zip(table, changes, strict=True):
            played[sat.version] += 1
            entries[sat.bot, "matches"] += 1
            entries[sat.bot, "firsts"] += sat.place == 1
            entries[sat.bot, "faulty"] += sat.faulty
            tallies.add(sat.bot, len(table), sat.place, sat.faulty)
            after, day = change.after, sat.finished_at.date()
            days.add(sat.bot, sat.version, day, after.mu, after.sigma)
            if line is None or (line.ledger_position, line.seat) != (
                sat.ledger_position,
                sat.number,
            ):
                result.differs(f"no. {sat.ledger_position} seat {sat.number}: the line is missing")
                continue
            if not _same(line, sat, change):
                result.differs(
                    f"no. {sat.ledger_position} seat {sat.number}:"
                    f" {line.mu} is not {change.after.mu}"
                )
                repaired.append(_repaired(line, change))
            line = next(lines, None)
    if line is not None:
        result.differs(
            f"no. {line.ledger_position} seat {line.seat}: there is no match for the line"
        )
    _begin(None, starts, ratings, result)
    stale = _stale(game, ratings, played, result)
    counts = _miscounted(game, entries, result)
    for what in [*history.wrong_days(game, days), *history.wrong_tallies(game, tallies)]:
        result.differs(what)
    if write:
        _write(repaired, stale, counts)
        history.write(game, days, tallies)
    return result


def _tables(game: str) -> Iterator[list[_Sat]]:
    """Yield the seats of each rated match, in the order of the ledger."""
    seats = (
        Seat.objects.filter(match__game=game, match__ledger_position__isnull=False)
        .order_by("match__ledger_position", "number")
        .values_list(
            "match__ledger_position",
            *("match", "number", "version", "bot", "place", "faulty", "match__finished_at"),
        )
    )
    table: list[_Sat] = []
    for row in seats.iterator(chunk_size=CHUNK):
        sat = _Sat._make(row)
        if table and table[0].ledger_position != sat.ledger_position:
            yield table
            table = []
        table.append(sat)
    if table:
        yield table


def _lines(game: str) -> Iterator[RatingChange]:
    lines = RatingChange.objects.filter(ladder=game).order_by("ledger_position", "seat")
    return lines.iterator(chunk_size=CHUNK)


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


def _same(line: RatingChange, sat: _Sat, change: Change) -> bool:
    stored = (
        line.version_id,
        line.match_id,
        line.mu_before,
        line.sigma_before,
        line.mu,
        line.sigma,
    )
    before, after = change.before, change.after
    computed = (sat.version, sat.match, before.mu, before.sigma, after.mu, after.sigma)
    return stored == computed and line.expected == change.expected


def _repaired(line: RatingChange, change: Change) -> RatingChange:
    line.mu_before, line.sigma_before = change.before.mu, change.before.sigma
    line.mu, line.sigma = change.after.mu, change.after.sigma
    line.expected = change.expected
    return line


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


def _miscounted(game: str, counts: Counter[tuple[int, str]], result: Rebuilt) -> list[Entry]:
    wrong = []
    for entry in Entry.objects.filter(ladder=game):
        right = {name: counts[entry.bot_id, name] for name in ("matches", "firsts", "faulty")}
        if any(getattr(entry, name) != value for name, value in right.items()):
            result.differs(f"bot {entry.bot_id}: its matches are counted wrongly")
            for name, value in right.items():
                setattr(entry, name, value)
            wrong.append(entry)
    return wrong


def _write(repaired: list[RatingChange], stale: list[LadderRating], counts: list[Entry]) -> None:
    fields = ["mu_before", "sigma_before", "mu", "sigma", "expected"]
    rows.update(RatingChange, repaired, fields)
    rows.update(LadderRating, stale, ["mu", "sigma", "matches"])
    rows.update(Entry, counts, ["matches", "firsts", "faulty"])
