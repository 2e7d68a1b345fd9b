"""What can happen on a ladder: bots enter and leave, matches are made for them."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from random import SystemRandom

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Coalesce
from django.utils import timezone

from bots_sdk.rating import Rating as Strength
from engine.games import GAMES
from league.bots.models import Bot, BotVersion, Plays
from league.control.work import MAX_ROWS, portion
from league.errors import Refused
from league.ladder.ledger import start
from league.ladder.models import Entry, Ladder, Rating
from league.ladder.pairing import Candidate, pair
from league.matches import services as matches
from league.matches.models import Match, Seat, Worker

PROVISIONAL = 30
"""With fewer rated matches in a game a bot has no rank."""


def ensure() -> None:
    """Every registered game has a ladder."""
    Ladder.objects.bulk_create([Ladder(game=game) for game in GAMES], ignore_conflicts=True)


def enter(bot: Bot, game: str) -> Entry:
    """Put a bot on a ladder, or back on it."""
    if bot.active is None or game not in bot.active.games:
        raise Refused("L006", reason=f"{bot} has no active version that plays {game}")
    entry, _ = Entry.objects.update_or_create(ladder_id=game, bot=bot, defaults={"left_at": None})
    return entry


def leave(bot: Bot, game: str) -> None:
    """Take a bot off a ladder. Its rating stays and waits for its return."""
    left = Entry.objects.filter(ladder=game, bot=bot, left_at=None).update(left_at=timezone.now())
    if not left:
        raise Refused("L006", reason=f"{bot} is not on the ladder of {game}")


def enrol() -> None:
    """Let bots with a new active version in: onto the ladders of its games, with a rating."""
    entered = Entry.objects.filter(ladder=OuterRef("game"), bot=OuterRef("version__bot"))
    newcomers = Plays.objects.filter(
        ~Exists(entered), version__bot__active=F("version"), version__bot__enters=True
    ).values_list("game", "version__bot")
    some = newcomers.order_by("pk")[:MAX_ROWS]
    Entry.objects.bulk_create(
        [Entry(ladder_id=game, bot_id=bot) for game, bot in some], ignore_conflicts=True
    )
    rated = Rating.objects.filter(ladder=OuterRef("game"), version=OuterRef("version"))
    fresh = Plays.objects.filter(~Exists(rated), version__bot__active=F("version"))
    for plays in portion(fresh.select_related("version").order_by("pk")[:MAX_ROWS]):
        begin(plays.game, plays.version)


@transaction.atomic
def begin(game: str, version: BotVersion) -> None:
    """The start of a version is a line of its own in the ledger."""
    ladder = Ladder.objects.select_for_update().get(game=game)
    before = (
        Rating.objects.filter(ladder=ladder, version__bot=version.bot_id)
        .exclude(version=version)
        .order_by("-version__activated_at", "-pk")
        .first()
    )
    first = start(Strength(before.mu, before.sigma) if before else None)
    Rating.objects.get_or_create(
        ladder=ladder,
        version=version,
        defaults={
            "mu": first.mu,
            "sigma": first.sigma,
            "start_mu": first.mu,
            "start_sigma": first.sigma,
            "after_no": ladder.rated,
            "heir_of_id": before.version_id if before else None,
        },
    )


def fill(game: str) -> int:
    """Make the matches a ladder wants now. How many that were."""
    waiting = Match.objects.queued().filter(game=game, kind=Match.Kind.LADDER).count()
    wanted = settings.LADDER_QUEUE * capacity() - waiting
    if wanted <= 0:
        return 0
    lately = _played_lately(game)
    if lately and _all_settled(game):
        return 0
    table = _candidates(game)
    if all(_settled(one) for one in table.values()):
        if lately:
            return 0
        wanted = 1
    ladder = Ladder.objects.get(game=game)
    tables = {size: ladder.tables.get(str(size), 0) for size in GAMES[game].seats}
    made = 0
    for _ in range(wanted):
        seated = pair(list(table.values()), tables, SystemRandom())
        if seated is None:
            break
        made += _make(game, seated)
        tables[len(seated)] += 1
        for seat, one in enumerate(seated):
            table[one.bot] = _after(one, seat)
    if made:
        Ladder.objects.filter(game=game).update(played_at=timezone.now(), tables=tables)
    return made


def capacity() -> int:
    """How many matches all workers play at the same time; one, if none was heard of yet."""
    return max(1, sum(Worker.objects.playing().values_list("capacity", flat=True)))


def _settled(one: Candidate) -> bool:
    return one.matches >= PROVISIONAL and one.rating.sigma <= settings.LADDER_SETTLED_SIGMA


def _all_settled(game: str) -> bool:
    """What `_settled` says of everybody, matches that wait left aside, without a look at each:
    this is asked every second.
    """
    playing = Entry.objects.playing(game)
    unsure = Rating.objects.filter(
        ladder=game,
        sigma__gt=settings.LADDER_SETTLED_SIGMA,
        version__bot__active=F("version"),
        version__bot__in=playing.values("bot"),
    )
    return not (playing.filter(matches__lt=PROVISIONAL).exists() or unsure.exists())


def _played_lately(game: str) -> bool:
    pause = timedelta(seconds=settings.LADDER_TRICKLE_SECONDS)
    return Ladder.objects.filter(game=game, played_at__gt=timezone.now() - pause).exists()


def _candidates(game: str) -> dict[int, Candidate]:
    """Everybody on the ladder, with the matches that wait for them counted as played."""
    pending = _pending(game)
    ratings = {
        version: Strength(mu, sigma)
        for version, mu, sigma in Rating.objects.filter(
            ladder=game, version__bot__active=F("version")
        ).values_list("version", "mu", "sigma")
    }
    now = timezone.now()
    # Plain values: a ladder may have thousands of bots.
    entries = Entry.objects.playing(game).values_list(
        *("bot", "bot__owner", "bot__active", "matches", "seats"),
        Coalesce("queued_at", "entered_at"),
    )
    return {
        bot: Candidate(
            bot=bot,
            owner=owner,
            rating=ratings[version],
            matches=matches_so_far + pending[bot],
            waited=(now - since).total_seconds(),
            seats={int(seat): count for seat, count in seats.items()},
        )
        for bot, owner, version, matches_so_far, seats, since in entries
        if version in ratings
    }


def _pending(game: str) -> Counter[int]:
    """How many matches of the ladder are not over yet, by bot.

    First which, then who: together it would be a walk through the seats of all matches ever.
    """
    kind = Match.Kind.LADDER
    queued = Match.objects.queued().filter(kind=kind, game=game).values_list("pk", flat=True)
    running = Match.objects.filter(status=Match.Status.RUNNING).values_list("pk", "kind", "game")
    open_ones = [*queued, *(pk for pk, *what in running if what == [kind, game])]
    return Counter(Seat.objects.filter(match__in=open_ones).values_list("bot", flat=True))


def _after(one: Candidate, seat: int) -> Candidate:
    """The candidate once this match waits for it."""
    return replace(
        one,
        matches=one.matches + 1,
        waited=0.0,
        seats=one.seats | {seat: one.seats.get(seat, 0) + 1},
    )


@transaction.atomic
def _make(game: str, seated: list[Candidate]) -> bool:
    """Whether it could be made: a version may just have been benched."""
    bots = Bot.objects.select_related("active").in_bulk([one.bot for one in seated])
    versions = [version for one in seated if (version := bots[one.bot].active) and version.fit]
    if len(versions) < len(seated):
        return False
    matches.make(game, versions, Match.Kind.LADDER, rated=True)
    for seat, one in enumerate(seated):
        Entry.objects.filter(ladder=game, bot=one.bot).update(
            queued_at=timezone.now(), seats=_after(one, seat).seats
        )
    return True
