"""What can happen on a ladder: bots enter and leave, matches are made for them."""

import json
from collections import Counter
from datetime import timedelta
from math import inf
from random import SystemRandom

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from bots_sdk.rating.skill import Rating
from engine.registry import GAMES
from league.bots.models import Bot, BotVersion, Plays
from league.control.work import MAX_ROWS, portion
from league.database import dialect
from league.errors import Refused
from league.ladder.matchmaking.pairing import Candidate, Matchmaker
from league.ladder.matchmaking.settled import MIN_MATCHES
from league.ladder.matchmaking.shares import Need, free_places, is_ahead
from league.ladder.models import Entry, Ladder, LadderRating
from league.ladder.ratings.ledger import start
from league.matches import services as matches
from league.matches.models import Match, Seat
from league.workers import fleet

PROVISIONAL = MIN_MATCHES
"""With fewer rated matches in a game a bot has no rank."""
LATELY = timedelta(seconds=30)
"""The time over which ladders compare how many matches they finished."""

_LADDERS = Ladder._meta.db_table
_LINEUP = f"""(
    select count(bot.active_id) || ' bots, ' || coalesce(sum(bot.active_id), 0)
    from {Entry._meta.db_table} entry join {Bot._meta.db_table} bot on bot.id = entry.bot_id
    where entry.ladder_id = {_LADDERS}.game and entry.left_at is null
)"""


def ensure() -> None:
    """Create the ladders of games that have none."""
    Ladder.objects.bulk_create([Ladder(game=game) for game in GAMES], ignore_conflicts=True)


def enter(bot: Bot, game: str) -> Entry:
    """Put a bot on a ladder, or back on it."""
    if bot.active is None or game not in bot.active.games:
        raise Refused("L006", reason=f"{bot} has no active version that plays {game}")
    entry, _ = Entry.objects.update_or_create(ladder_id=game, bot=bot, defaults={"left_at": None})
    Ladder.objects.filter(game=game).update(need=None)
    return entry


def leave(bot: Bot, game: str) -> None:
    """Take a bot off a ladder. Its rating stays and waits for its return."""
    left = Entry.objects.filter(ladder=game, bot=bot, left_at=None).update(left_at=timezone.now())
    if not left:
        raise Refused("L006", reason=f"{bot} is not on the ladder of {game}")


def enrol() -> None:
    """Put bots with a new active version on the ladders of its games, with a first rating."""
    some = newcomers().values_list("game", "version__bot").order_by("pk")[:MAX_ROWS]
    Entry.objects.bulk_create(
        [Entry(ladder_id=game, bot_id=bot) for game, bot in some], ignore_conflicts=True
    )
    fresh = unrated_versions().select_related("version").order_by("pk")
    for plays in portion(fresh[:MAX_ROWS]):
        begin(plays.game, plays.version)


def newcomers() -> "QuerySet[Plays]":
    """Return the games of active versions whose bots have not been on the ladder."""
    entered = Entry.objects.filter(ladder=OuterRef("game"), bot=OuterRef("version__bot"))
    return Plays.objects.filter(
        ~Exists(entered), version__bot__active=F("version"), version__bot__enters=True
    )


def unrated_versions() -> "QuerySet[Plays]":
    """Return the games of active versions that have no rating there yet."""
    rated = LadderRating.objects.filter(ladder=OuterRef("game"), version=OuterRef("version"))
    return Plays.objects.filter(~Exists(rated), version__bot__active=F("version"))


@transaction.atomic
def begin(game: str, version: BotVersion) -> None:
    """Give a version its first rating, which is part of the ledger."""
    ladder = Ladder.objects.select_for_update().get(game=game)
    before = (
        LadderRating.objects.filter(ladder=ladder, version__bot=version.bot_id)
        .exclude(version=version)
        .order_by("-version__activated_at", "-pk")
        .first()
    )
    ladder.need = None
    ladder.save(update_fields=["need"])
    first = start(Rating(before.mu, before.sigma) if before else None)
    LadderRating.objects.get_or_create(
        ladder=ladder,
        version=version,
        defaults={
            "mu": first.mu,
            "sigma": first.sigma,
            "start_mu": first.mu,
            "start_sigma": first.sigma,
            "after_no": ladder.rated,
            "inherited_from_id": before.version_id if before else None,
        },
    )


def fill(game: str) -> int:
    """Queue the matches a ladder needs now, and return how many.

    This is called every second, unless the ladder is at rest.
    """
    ladder, _ = Ladder.objects.get_or_create(game=game)
    lately = _played_lately(ladder)
    lineup = _lineup(game)
    last_need = Need(ladder.need) if ladder.need is not None else Need.USERS
    if ladder.need_of != lineup:
        last_need = Need.USERS
    if lately and last_need is Need.NONE and ladder.need_as_of == ladder.rated:
        return 0
    if not _free_places(game, last_need):
        return 0
    matchmaker = _matchmaker(ladder)
    need = matchmaker.need
    Ladder.objects.filter(game=game).update(need=need, need_as_of=ladder.rated, need_of=lineup)
    if need is Need.NONE and lately:
        return 0
    tables: list[list[Candidate]] = []
    for _ in range(_free_places(game, need)):
        seated = matchmaker.make_table()
        if seated is None:
            break
        tables.append(seated)
        if matchmaker.need is Need.NONE:
            break
    match_count = _make(game, tables) if tables else 0
    if match_count:
        Ladder.objects.filter(game=game).update(
            played_at=timezone.now(),
            tables=matchmaker.table_counts,
            recent_tables=list(matchmaker.recent_tables),
        )
    return match_count


def at_rest() -> set[str]:
    """Return the ladders whose ratings need no matches and that played a moment ago: nothing
    changed since, so there is nothing to examine. One statement for all of them.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            f"select game from {_LADDERS} where need = %s and need_as_of = rated"
            f" and played_at > {dialect.later(-settings.LADDER_TRICKLE_SECONDS)}"
            f" and need_of = {_LINEUP}",
            [Need.NONE],
        )
        return {game for (game,) in cursor.fetchall()}


def _lineup(game: str) -> str:
    """Return a short text that changes when other versions play: one was activated, taken from the
    bench, or its suspension was lifted. The code that does so knows nothing of ladders.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"select {_LINEUP} from {_LADDERS} where game = %s", [game])
        (lineup,) = cursor.fetchone()
    return str(lineup)


def _free_places(game: str, need: Need) -> int:
    waiting = Match.objects.queued().filter(game=game, kind=Match.Kind.LADDER).count()
    limit = settings.LADDER_QUEUE * fleet.capacity()
    if waiting >= limit:
        return 0
    return free_places(need, waiting, limit, steps_back=_steps_back(game, need, limit))


def _steps_back(game: str, need: Need, limit: int) -> bool:
    """Return whether owners are waiting for other ladders, and this one can do with fewer."""
    others = Ladder.objects.exclude(game=game).filter(need=Need.USERS)
    waiting_for = list(others.values_list("game", flat=True))
    if need is not Need.USERS or not waiting_for:
        return bool(waiting_for)
    lately = timezone.now() - LATELY
    finished = Match.objects.finished().filter(kind=Match.Kind.LADDER, finished_at__gt=lately)
    counts = Counter(finished.values_list("game", flat=True))
    return is_ahead(counts[game], [counts[other] for other in waiting_for], limit)


def _played_lately(ladder: Ladder) -> bool:
    pause = timedelta(seconds=settings.LADDER_TRICKLE_SECONDS)
    return ladder.played_at is not None and ladder.played_at > timezone.now() - pause


def _matchmaker(ladder: Ladder) -> Matchmaker:
    sizes = {size: ladder.tables.get(str(size), 0) for size in GAMES[ladder.game].seats}
    return Matchmaker(_candidates(ladder.game), sizes, ladder.recent_tables, SystemRandom())


def _candidates(game: str) -> list[Candidate]:
    """Return all bots on the ladder, with the number of their unfinished matches."""
    pending = _pending(game)
    ratings = {
        version: (Rating(mu, sigma), count)
        for version, mu, sigma, count in LadderRating.objects.filter(
            ladder=game, version__bot__active=F("version")
        ).values_list("version", "mu", "sigma", "matches")
    }
    now = timezone.now()
    # Plain values: a ladder may have thousands of bots.
    entries = Entry.objects.playing(game).values_list(
        "bot", "bot__owner", "bot__active", "seats", "queued_at"
    )
    return [
        Candidate(
            bot=bot,
            owner=owner,
            rating=ratings[version][0],
            matches=ratings[version][1],
            pending=pending[bot],
            waited_seconds=(now - queued_at).total_seconds() if queued_at else inf,
            seats={int(seat): count for seat, count in seats.items()},
        )
        for bot, owner, version, seats, queued_at in entries
        if version in ratings
    ]


def _pending(game: str) -> Counter[int]:
    """Return, by bot, how many matches of the ladder are not over yet.

    First the matches, then their seats: one query for both would read the seats of all matches.
    """
    kind = Match.Kind.LADDER
    queued = Match.objects.queued().filter(kind=kind, game=game).values_list("pk", flat=True)
    running = Match.objects.filter(status=Match.Status.RUNNING).values_list("pk", "kind", "game")
    open_ones = [*queued, *(pk for pk, *what in running if what == [kind, game])]
    return Counter(Seat.objects.filter(match__in=open_ones).values_list("bot", flat=True))


@transaction.atomic
def _make(game: str, tables: list[list[Candidate]]) -> int:
    """Queue matches, and return how many: a version may just have been benched."""
    bots = Bot.objects.select_related("active").in_bulk(
        {one.bot for table in tables for one in table}
    )
    active = {pk: bot.active for pk, bot in bots.items() if bot.active and bot.active.fit}
    complete = [table for table in tables if all(one.bot in active for one in table)]
    if not complete:
        return 0
    matches.make_ladder_matches(game, [[active[one.bot] for one in table] for table in complete])
    # A bot at several tables has its last count there.
    seats = {one.bot: one.seats for table in complete for one in table}
    entries = Entry.objects.filter(ladder=game, bot__in=seats).values_list("pk", "bot")
    rows = [(pk, json.dumps(seats[bot])) for pk, bot in entries]
    table = Entry._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"update {table} set queued_at = {dialect.now()},"
            f" seats = cast(fresh.column2 as {dialect.json_type()})"
            f" from (values {dialect.places(rows)}) fresh where {table}.id = fresh.column1",
            [value for row in rows for value in row],
        )
    return len(complete)
