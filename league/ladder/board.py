"""The leaderboard of a game: all its bots, ranked, with their recent past.

Reads a few rows for each bot, never the ledger and never a match. All lines are computed once for a
revision of the ladder; names are read whenever they are shown.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from django.core.cache import cache
from django.db.models import Count, F, Max, OuterRef, QuerySet, Subquery, Sum
from django.utils import timezone

from bots_sdk.rating.skill import SHOWN_PER_MU, Rating
from league.accounts.models import FORMER
from league.bots.models import Bot
from league.ladder import queries
from league.ladder.models import Entry, Ladder, LadderRating, RatingDay, Tally
from league.ladder.services import PROVISIONAL
from league.web.fragments import generation

CHANGE_DAYS = 7
CURVE_DAYS = 30
_REMEMBERED_SECONDS = 60
_MAX_BOARDS = 32
"""How many sets of lines a process keeps: one for each game and number of seats."""


class Revision(NamedTuple):
    """What has to differ for a leaderboard to differ, apart from the names on it."""

    game: str
    day: date
    """Ranks are compared with those some days ago."""
    rated: int
    """The last position in the ledger."""
    entries: tuple[object, ...]
    """Sums over the bots on the ladder: somebody came, left, or plays another version."""
    generation: str
    """Of the cache: whoever clears it has all lines computed again."""


def revision(game: str) -> Revision:
    """Return the revision of a ladder, from two short queries."""
    rated = Ladder.objects.filter(game=game).values_list("rated", flat=True).first()
    version = F("bot__active")
    sums = Entry.objects.filter(ladder=game, left_at=None).aggregate(
        *(Count("pk"), Sum("bot__active"), Sum("matches"), Max("bot__active__activated_at")),
        *(Sum("bot__active__ratings__mu"), Sum("bot__active__ratings__sigma")),
        # Without the squares two new versions could add up to two others.
        squares=Sum(version * version),
    )
    return Revision(game, timezone.now().date(), rated or 0, tuple(sums.values()), generation())


class Tables(NamedTuple):
    """How a bot did at some tables."""

    matches: int
    firsts: int
    faulty: int
    chance: float
    """The share of first places that luck alone would give there."""

    @property
    def first_share(self) -> float | None:
        """Return the share of its matches that it won."""
        return self.firsts / self.matches if self.matches else None

    @property
    def fault_share(self) -> float | None:
        """Return the share of its matches in which it committed a fault."""
        return self.faulty / self.matches if self.matches else None


NO_TABLES = Tables(0, 0, 0, 0.0)


@dataclass(frozen=True, slots=True)
class Line:
    """A bot on the leaderboard."""

    bot: int
    slug: str
    name: str
    owner: str | None
    """None: it belongs to the house."""
    owner_id: int | None
    version: int
    active_since: datetime | None
    strength: Rating
    matches: int
    """Rated ones, over all versions."""
    tables: Tables
    """How it did at the requested tables."""
    rank: int | None
    """None while it is provisional, and on the bench."""
    rank_before: int | None
    """Its rank some days ago."""
    benched: bool = False

    @property
    def provisional(self) -> bool:
        """Return whether its rating is still a guess."""
        return self.matches < PROVISIONAL

    @property
    def climbed(self) -> int | None:
        """Return by how many ranks; None if it had or has none."""
        if self.rank is None or self.rank_before is None:
            return None
        return self.rank_before - self.rank


_OF_BOT = ("pk", "slug", "name", "owner__username", "owner__deleted_at", "owner")
_OF_ENTRY = (
    *(f"bot__{name}" for name in _OF_BOT),
    *("bot__active__number", "bot__active__activated_at", "mu", "sigma", "matches"),
)
_OF_RATING = (
    *(f"version__bot__{name}" for name in _OF_BOT),
    *("version__number", "version__activated_at", "mu", "sigma"),
)


def lines(game: str, *, seats: int | None = None) -> list[Line]:
    """Return all bots that play: the ranked ones, the best first, then the provisional ones.

    Those are in the order of the number that pages show: before they have a rank, their uncertainty
    says how often they played rather than how well.
    """
    tables = _tables(game, seats)
    before = ranks_before(game)
    ranked: list[Line] = []
    provisional: list[Line] = []
    rank, above = 0, None
    for *bot, number, since, mu, sigma, matches in queries.table(game).values_list(*_OF_ENTRY):
        strength = Rating(mu, sigma)
        is_ranked = matches >= PROVISIONAL
        if is_ranked and strength.cautious != above:
            rank, above = len(ranked) + 1, strength.cautious
        line = Line(
            *_bot(bot),
            version=number,
            active_since=since,
            strength=strength,
            matches=matches,
            tables=tables.get(bot[0], NO_TABLES),
            rank=rank if is_ranked else None,
            rank_before=before.get(bot[0]),
        )
        (ranked if is_ranked else provisional).append(line)
    return [*ranked, *sorted(provisional, key=lambda line: -line.strength.mu)]


@lru_cache(maxsize=_MAX_BOARDS)
def lines_of(at: Revision, seats: int | None = None) -> tuple[Line, ...]:
    """Return the lines of a revision, computed once. Their names may have changed since."""
    return tuple(lines(at.game, seats=seats))


def with_current_names(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Return the lines with the names that their bots and owners have now."""
    lines = tuple(lines)
    rows = Bot.objects.filter(pk__in=[line.bot for line in lines]).values_list(*_OF_BOT)
    bots = {row[0]: _bot(list(row)) for row in rows}
    return tuple(_named(line, bots[line.bot]) for line in lines if line.bot in bots)


def _named(line: Line, bot: tuple[int, str, str, str | None, int | None]) -> Line:
    if (line.bot, line.slug, line.name, line.owner, line.owner_id) == bot:
        return line
    _, slug, name, owner, owner_id = bot
    return replace(line, slug=slug, name=name, owner=owner, owner_id=owner_id)


def benched(game: str, *, seats: int | None = None) -> list[Line]:
    """Return the bots on the ladder without a version that plays, with their last ratings."""
    entries = Entry.objects.filter(ladder=game, left_at=None, bot__active=None)
    matches = dict(entries.values_list("bot", "matches"))
    last = LadderRating.objects.filter(
        ladder=game, version__bot__in=matches, version__benched_at__isnull=False
    ).order_by("-version__activated_at")
    tables = _tables(game, seats)
    lines: dict[int, Line] = {}
    for *bot, number, since, mu, sigma in last.values_list(*_OF_RATING):
        line = Line(
            *_bot(bot),
            version=number,
            active_since=since,
            strength=Rating(mu, sigma),
            matches=matches[bot[0]],
            tables=tables.get(bot[0], NO_TABLES),
            rank=None,
            rank_before=None,
            benched=True,
        )
        lines.setdefault(line.bot, line)
    return sorted(lines.values(), key=lambda line: line.name)


def _bot(row: list[object]) -> tuple[int, str, str, str | None, int | None]:
    pk, slug, name, owner, gone, owner_id = row
    return pk, slug, name, FORMER if gone else owner, owner_id  # type: ignore[return-value]


def _tables(game: str, seats: int | None) -> dict[int, Tables]:
    """Return, by bot, how it did with so many seats, or at all tables together."""
    tallies = Tally.objects.filter(ladder=game)
    if seats is not None:
        tallies = tallies.filter(seat_count=seats)
    by_bot: dict[int, list[tuple[int, int, int, int]]] = defaultdict(list)
    columns = ("bot", "seat_count", "matches", "firsts", "faulty")
    for bot, size, matches, firsts, faulty in tallies.values_list(*columns):
        by_bot[bot].append((size, matches, firsts, faulty))
    return {bot: _together(counts) for bot, counts in by_bot.items()}


def _together(counts: Iterable[tuple[int, int, int, int]]) -> Tables:
    sizes, matches, firsts, faulty = zip(*counts, strict=True)
    luck = sum(played / seats for seats, played in zip(sizes, matches, strict=True))
    return Tables(sum(matches), sum(firsts), sum(faulty), luck / sum(matches))


def ranks_before(game: str) -> dict[int, int]:
    """Return the ranks some days ago, by bot. They change once a day, so they are cached."""
    day = timezone.now().date() - timedelta(days=CHANGE_DAYS)
    key = f"ranks-{game}-{day}"
    ranks: dict[int, int] | None = cache.get(key)
    if ranks is None:
        days = _ratings_on(game, day).filter(matches__gte=PROVISIONAL)
        rows = days.values_list("bot", "mu", "sigma")
        order = sorted((-Rating(mu, sigma).cautious, bot) for bot, mu, sigma in rows)
        ranks = {bot: number for number, (_, bot) in enumerate(order, 1)}
        cache.set(key, ranks, _REMEMBERED_SECONDS)
    return ranks


def _ratings_on(game: str, day: date) -> QuerySet[RatingDay]:
    """Return the ratings at the end of a day: one index lookup for each bot on the ladder."""
    last = RatingDay.objects.filter(ladder=game, bot=OuterRef("bot"), day__lte=day).order_by("-day")
    entries = Entry.objects.filter(ladder=game, left_at=None)
    return RatingDay.objects.filter(
        pk__in=entries.annotate(last=Subquery(last.values("pk")[:1])).values("last")
    )


def curves(game: str, bots: list[int]) -> dict[int, list[tuple[date, float]]]:
    """Return the ratings of these bots as pages show them, day by day, over some weeks."""
    since = timezone.now().date() - timedelta(days=CURVE_DAYS)
    days = RatingDay.objects.filter(ladder=game, bot__in=bots, day__gte=since).order_by("day")
    curves: dict[int, list[tuple[date, float]]] = defaultdict(list)
    for bot, day, mu, sigma in days.values_list("bot", "day", "mu", "sigma"):
        curves[bot].append((day, Rating(mu, sigma).shown))
    return curves


class Mover(NamedTuple):
    """A bot whose rating changed much."""

    slug: str
    name: str
    game: str
    change: float


def movers(game: str, limit: int) -> list[Mover]:
    """Return the ranked bots whose ratings changed most within some days."""
    key = f"movers-{game}-{limit}"
    movers: list[Mover] | None = cache.get(key)
    if movers is None:
        day = timezone.now().date() - timedelta(days=CHANGE_DAYS)
        before = dict(_ratings_on(game, day).values_list("bot", "mu"))
        now = queries.ranked(game).values_list("bot", "bot__slug", "bot__name", "mu")
        changes = [
            Mover(slug, name, game, SHOWN_PER_MU * (mu - before[bot]))
            for bot, slug, name, mu in now
            if bot in before
        ]
        movers = sorted(changes, key=lambda one: -abs(one.change))[:limit]
        cache.set(key, movers, _REMEMBERED_SECONDS)
    return movers
