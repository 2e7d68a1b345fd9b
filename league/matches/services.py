"""What can happen to matches: they are made, claimed, given back, voided and revealed."""

import secrets
import uuid
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from engine.game import BadSetup
from engine.registry import find
from league.accounts import quota_day, services as accounts
from league.accounts.models import User
from league.bots import house_bots
from league.bots.models import Bot, BotVersion
from league.database.transactions import atomic_with_retries
from league.errors import Refused
from league.jobs import leases, wake
from league.matches import queries, revealing
from league.matches.lane_keys import lane_of_ladder, lane_of_user
from league.matches.models import Match, MatchQuerySet, Seat

LADDER_PRIORITY = 50
TOURNAMENT_PRIORITY = 40
CHALLENGE_PRIORITY = 30


def new_seed() -> str:
    """Return 128 random bits that nobody can guess."""
    return secrets.token_hex(16)


@transaction.atomic
def make(
    game: str,
    versions: Sequence[BotVersion],
    kind: Match.Kind,
    *,
    rated: bool = False,
    seed: str | None = None,
    options: dict[str, Any] | None = None,
    priority: int = LADDER_PRIORITY,
    group: uuid.UUID | None = None,
    asked_by: User | None = None,
    lane: str | None = None,
    sealed: bool = False,
    wake_workers: bool = True,
) -> Match:
    """Queue a match; the versions take the seats in their order. A sealed one is hidden until its
    tournament reveals it.

    It uses up turns of its ladder, of the user who asked for it, or of the lane that is named.
    Workers are woken after commit, unless the caller does that for many matches together.
    """
    if lane is None:
        of_ladder = kind == Match.Kind.LADDER
        lane = lane_of_ladder(game) if of_ladder else lane_of_user(_pk(asked_by))
    try:
        resolved = find(game).resolve_options(len(versions), options or {})
    except BadSetup as error:
        raise Refused("L004", status=422, reason=str(error)) from None
    suspended = any(version.suspended_at for version in versions)
    if suspended and kind != Match.Kind.TOURNAMENT:
        # A tournament goes on: the suspended one forfeits when the game is played.
        raise Refused("L013")
    distinct = len({version.bot_id for version in versions}) == len(versions)
    match = Match.objects.create(
        game=game,
        seat_count=len(versions),
        options=resolved,
        seed=seed or new_seed(),
        kind=kind,
        rated=rated and distinct,
        priority=priority,
        group=group,
        hidden=sealed or group is not None,
        sealed=sealed,
        asked_by=asked_by,
        lane=lane,
    )
    Seat.objects.bulk_create(
        Seat(match=match, number=number, version=version, bot_id=version.bot_id, game=game)
        for number, version in enumerate(versions)
    )
    if wake_workers:
        wake.workers()
    return match


@transaction.atomic
def make_ladder_matches(game: str, tables: Sequence[Sequence[BotVersion]]) -> None:
    """Queue rated matches of a ladder, all at once; the versions take the seats in their order."""
    queued = Match.objects.bulk_create(
        Match(
            game=game,
            seat_count=len(versions),
            options=find(game).resolve_options(len(versions), {}),
            seed=new_seed(),
            kind=Match.Kind.LADDER,
            rated=len({version.bot_id for version in versions}) == len(versions),
            priority=LADDER_PRIORITY,
            lane=lane_of_ladder(game),
        )
        for versions in tables
    )
    Seat.objects.bulk_create(
        Seat(match=match, number=number, version=version, bot_id=version.bot_id, game=game)
        for match, versions in zip(queued, tables, strict=True)
        for number, version in enumerate(versions)
    )
    for _ in queued:
        wake.workers()


@atomic_with_retries
def cancel(match: Match, reason: str) -> bool:
    """Void a match that is still queued, unrated. Return whether it was."""
    lock_group(match)
    cancelled = Match.objects.filter(pk=match.pk, status=Match.Status.QUEUED).update(
        status=Match.Status.VOID, rated=False, void_because=reason[:200], finished_at=Now()
    )
    reveal(match)
    return bool(cancelled)


def _pk(user: User | None) -> int | None:
    return None if user is None else user.pk


@transaction.atomic
def challenge(
    user: User, game: str, slugs: Sequence[str], options: dict[str, Any] | None = None
) -> Match:
    """Queue an unrated match between named bots, within the quota of the user."""
    slugs = house_bots.resolve(game, slugs)
    bots = {bot.slug: bot for bot in Bot.objects.named(*slugs).select_related("active")}
    versions: list[BotVersion] = []
    for slug in slugs:
        bot = bots.get(slug)
        if bot is None:
            raise Refused("L004", status=422, reason=f"There is no bot `{slug}`")
        if bot.active is None or game not in bot.active.games:
            raise Refused("L004", status=422, reason=f"`{slug}` has no version that plays {game}")
        versions.append(bot.active)
    accounts.take_turns(user)
    if queries.challenges_left(user) == 0:
        when = quota_day.until_tomorrow()
        raise Refused("L005", status=429, count=settings.CHALLENGES_PER_DAY, when=when)
    return make(
        game,
        versions,
        Match.Kind.CHALLENGE,
        options=options,
        priority=CHALLENGE_PRIORITY,
        asked_by=user,
    )


def claim(worker: str, lane: str | None = None) -> leases.Lease | None:
    """Claim the next match, of a lane if one is named; None if other workers claim all of them."""
    queued = Match.objects.queued()
    if lane is not None:
        queued = queued.filter(lane=lane)
    return leases.claim(Match, queued, worker)


@atomic_with_retries
def give_back(lease: leases.Lease, reason: str) -> None:
    """Give a match back after an infrastructure error: it is played again from the same seed, or
    void after the last attempt.
    """
    match = Match.objects.get(pk=lease.pk)
    lock_group(match)
    row = leases.held(Match, lease)
    if lease.attempt < leases.MAX_ATTEMPTS:
        if row.update(status=Match.Status.QUEUED, lease=None, lease_until=None, started_at=None):
            wake.workers()
        return
    row.update(
        status=Match.Status.VOID,
        void_because=f"It did not finish in {lease.attempt} attempts: {reason}"[:200],
        lease=None,
        lease_until=None,
        finished_at=Now(),
    )
    reveal(match)


@atomic_with_retries
def cancel_claimed(lease: leases.Lease, reason: str) -> None:
    """Void a match that a worker has claimed and must not play."""
    match = Match.objects.get(pk=lease.pk)
    lock_group(match)
    leases.held(Match, lease).update(
        status=Match.Status.VOID,
        rated=False,
        void_because=reason[:200],
        lease=None,
        lease_until=None,
        finished_at=Now(),
    )
    reveal(match)


def lock_group(match: Match) -> None:
    """Lock all matches of its deal until the end of the transaction, before any is written.

    Rotations of a deal finish together. Each writes its own row and the last one all of them, so
    everybody locks the rows first, in one order.
    """
    if match.group is not None:
        lock_in_order(Match.objects.filter(group=match.group))


def lock_in_order(matches: MatchQuerySet) -> list[Match]:
    """Lock these matches until the end of the transaction: always by key, lowest first."""
    return list(matches.select_for_update(no_key=True).order_by("pk"))


def reveal(match: Match) -> None:
    """Reveal the matches of a group when the last of them is over, unless they are sealed. The
    group is locked.
    """
    if match.group is None:
        return
    group = Match.objects.filter(group=match.group)
    if not group.filter(status__in=[Match.WAITING, Match.RUNNING]).exists():
        revealing.show(group)
