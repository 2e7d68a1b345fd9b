"""Ratings by day and results by table size, kept beside the ledger while it is written.

Pages read these few rows instead of the ledger. The writer of ratings adds to them; the rebuild
computes them again from the same lines, so both must agree.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, TypeVar

from django.db.models import F, Model, QuerySet, Sum

from league.ladder.models import Ladder, LadderRating, RatingChange, RatingDay, Tally
from league.matches.models import Seat

M = TypeVar("M", bound=Model)
Counts = tuple[int, int, int]
"""Matches, first places, matches with a fault."""


class Size(NamedTuple):
    """A bot at tables of one size."""

    bot: int
    seat_count: int


@dataclass(frozen=True, slots=True)
class DayRating:
    """The rating of a bot after a line of the ledger."""

    version: int
    mu: float
    sigma: float
    matches: int


class Days:
    """The last line of every bot on every day, filled by lines in the order of the ledger."""

    def __init__(self, matches: Counter[int] | None = None) -> None:
        self.matches: Counter[int] = matches or Counter()
        self.ratings: dict[tuple[int, date], DayRating] = {}

    def add(self, bot: int, version: int, day: date, mu: float, sigma: float) -> None:
        """Add a rated match of a bot."""
        self.matches[bot] += 1
        self.ratings[bot, day] = DayRating(version, mu, sigma, self.matches[bot])


class Tallies:
    """How often each bot won and failed at tables of each size."""

    def __init__(self) -> None:
        self.matches: Counter[Size] = Counter()
        self.firsts: Counter[Size] = Counter()
        self.faulty: Counter[Size] = Counter()

    def add(self, bot: int, seat_count: int, place: int | None, faulty: bool) -> None:
        """Add a seat of a rated match."""
        size = Size(bot, seat_count)
        self.matches[size] += 1
        self.firsts[size] += place == 1
        self.faulty[size] += faulty

    def counts(self) -> Iterator[tuple[Size, Counts]]:
        """Yield the counts of all bots and table sizes."""
        for size, matches in self.matches.items():
            yield size, (matches, self.firsts[size], self.faulty[size])


def note(ladder: Ladder, changes: list[RatingChange], seats: Iterable[Seat]) -> None:
    """Add lines that were just appended to the ledger, in its order, with their seats."""
    _note_days(ladder, changes)
    _note_tallies(ladder, changes, seats)


def _note_days(ladder: Ladder, changes: list[RatingChange]) -> None:
    played = Counter(change.bot_id for change in changes)
    now = LadderRating.objects.filter(ladder=ladder, version__bot__in=played).values_list(
        "version__bot"
    )
    before = Counter(dict(now.annotate(Sum("matches"))))
    before.subtract(played)
    days = Days(before)
    for line in changes:
        days.add(line.bot_id, line.version_id, line.created_at.date(), line.mu, line.sigma)
    RatingDay.objects.bulk_create(
        [_day(ladder.game, bot, day, rating) for (bot, day), rating in days.ratings.items()],
        update_conflicts=True,
        unique_fields=["ladder", "bot", "day"],
        update_fields=["version", "mu", "sigma", "matches"],
    )


def _note_tallies(ladder: Ladder, changes: list[RatingChange], seats: Iterable[Seat]) -> None:
    sizes = Counter(change.match_id for change in changes)
    tallies = Tallies()
    for seat in seats:
        tallies.add(seat.bot_id, sizes[seat.match_id], seat.place, seat.faulty)
    known = {
        Size(bot, seat_count)
        for bot, seat_count in Tally.objects.filter(
            ladder=ladder, bot__in={size.bot for size in tallies.matches}
        ).values_list("bot", "seat_count")
    }
    for size, (matches, firsts, faulty) in tallies.counts():
        if size in known:
            Tally.objects.filter(ladder=ladder, bot=size.bot, seat_count=size.seat_count).update(
                matches=F("matches") + matches,
                firsts=F("firsts") + firsts,
                faulty=F("faulty") + faulty,
            )
    Tally.objects.bulk_create(
        _tally(ladder.game, size, counts) for size, counts in tallies.counts() if size not in known
    )


def _day(game: str, bot: int, day: date, rating: DayRating) -> RatingDay:
    return RatingDay(
        ladder_id=game,
        bot_id=bot,
        day=day,
        version_id=rating.version,
        mu=rating.mu,
        sigma=rating.sigma,
        matches=rating.matches,
    )


def _tally(game: str, size: Size, counts: Counts) -> Tally:
    matches, firsts, faulty = counts
    return Tally(
        ladder_id=game,
        bot_id=size.bot,
        seat_count=size.seat_count,
        matches=matches,
        firsts=firsts,
        faulty=faulty,
    )


def wrong_days(game: str, days: Days) -> list[str]:
    """Return what is wrong in the stored ratings by day."""
    stored = {
        (row.bot_id, row.day): DayRating(row.version_id, row.mu, row.sigma, row.matches)
        for row in RatingDay.objects.filter(ladder=game)
    }
    wrong = [
        key
        for key in stored.keys() | days.ratings.keys()
        if stored.get(key) != days.ratings.get(key)
    ]
    return [f"bot {bot} on {day}: its rating is stored wrongly" for bot, day in sorted(wrong)]


def wrong_tallies(game: str, tallies: Tallies) -> list[str]:
    """Return what is wrong in the stored results by table size."""
    stored = {
        Size(row.bot_id, row.seat_count): (row.matches, row.firsts, row.faulty)
        for row in Tally.objects.filter(ladder=game)
    }
    right = dict(tallies.counts())
    wrong = [size for size in stored.keys() | right.keys() if stored.get(size) != right.get(size)]
    return [f"bot {bot} with {seats} seats is counted wrongly" for bot, seats in sorted(wrong)]


def write(game: str, days: Days, tallies: Tallies) -> None:
    """Replace all stored rows of a ladder by these."""
    day_rows = [_day(game, bot, day, rating) for (bot, day), rating in days.ratings.items()]
    _replace(RatingDay.objects.filter(ladder=game), day_rows)
    tally_rows = [_tally(game, size, counts) for size, counts in tallies.counts()]
    _replace(Tally.objects.filter(ladder=game), tally_rows)


def _replace(stored: QuerySet[M], rows: Sequence[M]) -> None:
    stored.delete()
    stored.model._default_manager.bulk_create(rows, batch_size=500)
