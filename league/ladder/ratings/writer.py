"""The writer of ratings. It holds the row of the ladder, so there is one at a time."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from itertools import count as count_up, groupby
from math import inf
from operator import attrgetter
from typing import NamedTuple

from bots_sdk.rating.skill import Rating
from league.bots.models import BotVersion
from league.control.work import portion
from league.database.transactions import atomic_with_retries
from league.ladder.models import Ladder, LadderRating
from league.ladder.ratings import arithmetic, history, statements
from league.ladder.ratings.ledger import Change, rate_match
from league.ladder.services import begin
from league.matches.models import Match, Seat
from league.matches.services import lock_in_order

BATCH_SIZE = 200
"""The number of matches that are rated in one transaction."""


class TakenSeat(NamedTuple):
    """A seat of a match that is rated."""

    match: int
    number: int
    version: int
    bot: int
    place: int | None
    faulty: bool


class StoredRating(NamedTuple):
    """The row of a version's rating before the matches."""

    pk: int
    version: int
    mu: float
    sigma: float
    matches: int


class Line(NamedTuple):
    """A line to be appended to the ledger."""

    position: int
    at: datetime
    """When the match counted: when it finished, or when it was revealed."""
    seat_count: int
    seat: TakenSeat
    change: Change


def rate(game: str, seconds: float = inf) -> int:
    """Rate finished matches in the order they became public, and return how many were rated.

    A tick allows some seconds, so that a long queue of one ladder does not stop the others.
    """
    rated = 0
    for _ in portion(count_up(), seconds):
        count = _rate_some(game)
        rated += count
        # Matches that finished meanwhile are rated together with later ones.
        if count < BATCH_SIZE:
            break
    return rated


@atomic_with_retries
def _rate_some(game: str) -> int:
    ladder = Ladder.objects.select_for_update(no_key=True).get(game=game)
    matches = _lock_unrated(game)
    if not matches:
        return 0
    version = arithmetic.begin_current(game, ladder.rated)
    tables = _tables(matches)
    stored = _stored_ratings(game, {seat.version for table in tables for seat in table})
    ratings = {row.version: Rating(row.mu, row.sigma) for row in stored}
    lines: list[Line] = []
    for match, table in zip(matches, tables, strict=True):
        at = match.counts_at
        assert at is not None
        ladder.rated += 1
        changes = rate_match(
            version, ratings, [seat.version for seat in table], [seat.place or 1 for seat in table]
        )
        lines += [
            Line(ladder.rated, at, len(table), seat, change)
            for seat, change in zip(table, changes, strict=True)
        ]
    _write(game, lines, stored, ratings)
    ladder.save(update_fields=["rated"])
    return len(matches)


def _lock_unrated(game: str) -> list[Match]:
    """Return the next matches in the order of the ledger. They are locked by key, like everywhere,
    and those that were not to be rated any more when they were locked are left out.
    """
    unrated = Match.objects.unrated(game)
    some = list(unrated.values_list("pk", flat=True)[:BATCH_SIZE])
    if not some:
        return []
    locked = lock_in_order(unrated.filter(pk__in=some).only("finished_at", "revealed_at"))
    return sorted(locked, key=attrgetter("counts_at", "pk"))


def _tables(matches: Sequence[Match]) -> list[list[TakenSeat]]:
    """Return the seats of each match."""
    rows = (
        Seat.objects.filter(match__in=[match.pk for match in matches])
        .order_by("match", "number")
        .values_list("match", "number", "version", "bot", "place", "faulty")
    )
    seats = map(TakenSeat._make, rows)
    tables = {match: list(table) for match, table in groupby(seats, attrgetter("match"))}
    return [tables[match.pk] for match in matches]


def _stored_ratings(game: str, versions: set[int]) -> list[StoredRating]:
    """Return the ratings of these versions, by key; a version without one starts now."""
    stored = _read_ratings(game, versions)
    if missing := versions - {row.version for row in stored}:
        for version in BotVersion.objects.filter(pk__in=missing).order_by("pk"):
            begin(game, version)
        stored = _read_ratings(game, versions)
    return stored


def _read_ratings(game: str, versions: set[int]) -> list[StoredRating]:
    rows = LadderRating.objects.filter(ladder=game, version__in=versions).order_by("pk")
    return [StoredRating._make(row) for row in rows.values_list(*StoredRating._fields)]


def _write(
    game: str, lines: Sequence[Line], stored: Sequence[StoredRating], ratings: dict[int, Rating]
) -> None:
    """Append the lines, and update everything that is kept beside the ledger."""
    _append(game, lines)
    played = Counter(line.seat.version for line in lines)
    statements.execute(
        statements.UPDATE_RATINGS,
        (
            (now.mu, now.sigma, row.matches + played[row.version], row.pk)
            for row in stored
            for now in [ratings[row.version]]
        ),
    )
    positions = {line.seat.match: line.position for line in lines}
    statements.execute(
        statements.NUMBER_MATCHES, ((positions[match], match) for match in sorted(positions))
    )
    tallies, days = history.Tallies(), history.Days(_earlier_matches(game, lines))
    for line in lines:
        seat, after = line.seat, line.change.after
        tallies.add(seat.bot, line.seat_count, seat.place, seat.faulty)
        days.add(seat.bot, seat.version, line.at.date(), after.mu, after.sigma)
    # By key: locks of several rows are always taken in this order.
    counts = sorted(tallies.counts_of_bots().items())
    statements.execute(statements.COUNT_ENTRIES, ((*one, game, bot) for bot, one in counts))
    history.note(game, days, tallies)


def _append(game: str, lines: Sequence[Line]) -> None:
    rows = []
    for position, at, _, seat, change in lines:
        before, after = change.before, change.after
        ratings = (before.mu, before.sigma, after.mu, after.sigma, change.expected)
        who = (seat.match, seat.number, seat.version, seat.bot)
        rows.append((game, position, *who, *ratings, statements.moment(at)))
    statements.execute(statements.APPEND_LINES, rows)


def _earlier_matches(game: str, lines: Sequence[Line]) -> Counter[int]:
    """Return, by bot, how many matches of all its versions were rated before these lines."""
    matches = history.matches_of_bots(game, {line.seat.bot for line in lines})
    matches.subtract(line.seat.bot for line in lines)
    return matches
