"""The check of an upload as a job. Nothing of the file runs outside a box."""

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

from django.conf import settings
from django.utils import timezone

from engine.registry import GAMES
from league.bots import services, smoke_matches
from league.bots.bundles import sources
from league.bots.models import Bot, BotVersion, Plays, Source, VersionQuerySet
from league.control.work import MAX_ROWS, portion
from league.database.transactions import atomic_with_retries, persist
from league.jobs import leases
from runners.bundles.bundle import Bundle
from runners.failures import InfrastructureError
from runners.match import MatchResult, describe
from runners.upload.check import Step, check, check_budget, fresh_seed
from runners.upload.source import read_upload
from runners.upload.steps import COMMON_STEPS


def claim(worker: str = "", waiting: VersionQuerySet | None = None) -> leases.Lease | None:
    """Claim the upload that waits longest, of `waiting` if it is given; None if there is none."""
    if waiting is None:
        waiting = BotVersion.objects.waiting()
    return leases.claim(BotVersion, waiting, worker)


def run(lease: leases.Lease) -> BotVersion | None:
    """Check an upload and store the result. Return None if another worker has taken it over."""
    version = BotVersion.objects.select_related("bot", "source").get(pk=lease.pk)
    steps: list[dict[str, Any]] = []
    matches: dict[str, MatchResult] = {}
    try:
        for game, step in _steps(version, matches):
            steps.append(_as_json(game, step))
            if not leases.held(BotVersion, lease).update(steps=steps):
                return None
    except InfrastructureError:
        give_back(lease)
        return None
    return persist(partial(_decide, lease, steps, matches))


def _steps(version: BotVersion, matches: dict[str, MatchResult]) -> Iterator[tuple[str, Step]]:
    """Yield the steps of all games the bot plays, shared ones only once. Collect the matches."""
    data = _uploaded(version.source)
    check_for = partial(
        check,
        data,
        limits=settings.LIMITS,
        seat=describe(version.bot.name, version.bot.slug, version.number),
        seed=fresh_seed(),
        budget=check_budget(settings.LIMITS),
        cache_mib=settings.BUNDLE_CACHE_MIB,
    )
    games = read_upload(data, settings.LIMITS).outline.plays()
    for number, game in enumerate(games):
        keep = partial(matches.__setitem__, game)
        for step in check_for(GAMES[game], keep=keep):
            if number == 0 or step.name not in COMMON_STEPS or not step.ok:
                yield game, step
            if not step.ok:
                return


def _uploaded(source: Source) -> bytes | Bundle:
    """Return what was uploaded, as a check takes it."""
    return sources.load(source.pk) if source.bundle else source.text.encode()


def _as_json(game: str, step: Step) -> dict[str, Any]:
    document = {name: value for name, value in asdict(step).items() if value not in (None, ())}
    if step.name not in COMMON_STEPS:
        document["game"] = game
    return document


@atomic_with_retries
def _decide(
    lease: leases.Lease, steps: list[dict[str, Any]], matches: dict[str, MatchResult]
) -> BotVersion | None:
    # The bot before its version, as in `activate` and `bench`.
    Bot.objects.select_for_update(no_key=True).get(versions=lease.pk)
    failed = [step for step in steps if not step["ok"]]
    status = BotVersion.Status.REJECTED if failed else BotVersion.Status.ACCEPTED
    code = failed[0]["message"]["code"] if failed else ""
    stored = leases.held(BotVersion, lease).update(
        status=status, code=code, checked_at=timezone.now(), lease=None, lease_until=None
    )
    if not stored:
        return None
    version = BotVersion.objects.select_related("bot").get(pk=lease.pk)
    smoke_matches.store(version, matches)
    if not failed:
        games = dict.fromkeys(step["game"] for step in steps if "game" in step)
        Plays.objects.bulk_create(Plays(version=version, game=game) for game in games)
        # Staff may have suspended it while it was checked.
        if version.suspended_at is None and version.bot.hidden_at is None:
            services.activate(version.bot, version.number)
    return version


def give_back(lease: leases.Lease) -> None:
    """Queue it again after a failure of ours; after some attempts it is stuck and needs staff."""
    stuck = lease.attempt >= leases.MAX_ATTEMPTS
    status = BotVersion.Status.STUCK if stuck else BotVersion.Status.WAITING
    leases.held(BotVersion, lease).update(status=status, lease=None, lease_until=None)


def sweep() -> int:
    """Queue uploads again whose worker is gone. Return how many wait."""
    for version in portion(leases.lapsed(BotVersion).order_by("lease_until")[:MAX_ROWS]):
        give_back(leases.Lease.of(version))
    return BotVersion.objects.waiting().count()


def check_again(version: BotVersion) -> None:
    """Give a stuck check new attempts."""
    BotVersion.objects.filter(pk=version.pk, status=BotVersion.Status.STUCK).update(
        status=BotVersion.Status.WAITING, attempt=0, steps=[]
    )


def place_in_queue(version: BotVersion) -> int | None:
    """Return its place in the queue, from 1; None if it does not wait."""
    if version.status != BotVersion.Status.WAITING:
        return None
    return BotVersion.objects.waiting().filter(created_at__lte=version.created_at).count()
