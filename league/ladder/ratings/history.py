"""Ratings by day and results by table size, kept beside the ledger while it is written.

Pages read these few rows instead of the ledger. The writer of ratings adds to them; the rebuild
computes them again from the same lines, so both must agree.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from django.db.models import Sum

from league.ladder.models import LadderRating, RatingDay, Tally
from league.ladder.ratings import statements

Counts = tuple[int, int, int]
"""Matches, first places, matches with a fault."""


class Size(NamedTuple):
    """A bot at tables of one size."""

    bot: int
    seat_count: int


class DayRating(NamedTuple):
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
        self._counts: dict[tuple[int, int], list[int]] = {}

    def add(self, bot: int, seat_count: int, place: int | None, faulty: bool) -> None:
        """Add a seat of a rated match."""
        counts = self._counts.get((bot, seat_count))
        if counts is None:
            counts = self._counts[bot, seat_count] = [0, 0, 0]
        counts[0] += 1
        counts[1] += place == 1
        counts[2] += faulty

    def counts(self) -> Iterator[tuple[Size, Counts]]:
        """Yield the counts of all bots and table sizes."""
        for size, (matches, firsts, faulty) in self._counts.items():
            yield Size(*size), (matches, firsts, faulty)

    def counts_of_bots(self) -> dict[int, Counts]:
        """Return the counts of all bots, over all table sizes."""
        bots: dict[int, Counts] = {}
        for (bot, _), counts in self._counts.items():
            matches, firsts, faulty = bots.get(bot, (0, 0, 0))
            bots[bot] = (matches + counts[0], firsts + counts[1], faulty + counts[2])
        return bots


def matches_of_bots(game: str, bots: Iterable[int]) -> Counter[int]:
    """Return, by bot, how many matches of all its versions are rated."""
    ratings = LadderRating.objects.filter(ladder=game, version__bot__in=bots)
    return Counter(dict(ratings.values_list("version__bot").annotate(Sum("matches"))))


def note(game: str, days: Days, tallies: Tallies) -> None:
    """Add what was just appended to the ledger. The days count the matches before it, too."""
    statements.execute(
        statements.PUT_DAYS,
        (
            (game, bot, statements.day(day), one.version, one.mu, one.sigma, one.matches)
            for (bot, day), one in sorted(days.ratings.items())
        ),
    )
    statements.execute(
        statements.ADD_TALLIES,
        ((game, *size, *counts) for size, counts in sorted(tallies.counts())),
    )


def wrong_days(game: str, days: Days) -> list[str]:
    """Return what is wrong in the stored ratings by day."""
    rows = RatingDay.objects.filter(ladder=game).values_list("bot", "day", *DayRating._fields)
    stored = {(bot, day): rating for bot, day, *rating in rows}
    right = {key: list(rating) for key, rating in days.ratings.items()}
    wrong = [key for key in stored.keys() | right.keys() if stored.get(key) != right.get(key)]
    return [f"bot {bot} on {day}: its rating is stored wrongly" for bot, day in sorted(wrong)]


def wrong_tallies(game: str, tallies: Tallies) -> list[str]:
    """Return what is wrong in the stored results by table size."""
    rows = Tally.objects.filter(ladder=game).values_list(
        *("bot", "seat_count", "matches", "firsts", "faulty")
    )
    stored = {Size(bot, seats): tuple(counts) for bot, seats, *counts in rows}
    right = dict(tallies.counts())
    wrong = [size for size in stored.keys() | right.keys() if stored.get(size) != right.get(size)]
    return [f"bot {bot} with {seats} seats is counted wrongly" for bot, seats in sorted(wrong)]


def write(game: str, days: Days, tallies: Tallies) -> None:
    """Replace all stored rows of a ladder by these."""
    RatingDay.objects.filter(ladder=game).delete()
    Tally.objects.filter(ladder=game).delete()
    note(game, days, tallies)
