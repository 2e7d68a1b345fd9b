"""The queue of all workers: uploads and matches, taken lane by lane (`turns`)."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from random import random

from django.db import connection
from django.utils import timezone

from league import jobs
from league.bots import checks
from league.bots.models import BotVersion
from league.matches import services, turns
from league.matches.models import LaneUse, Match, Worker
from league.matches.turns import Lane

CHECK = "check"

# One look into the index for each lane: an ordinary DISTINCT would walk through all that wait.
_LANES = f"""
with recursive lanes(lane) as (
    select min(lane) from {Match._meta.db_table} where status = 'queued'
    union all
    select (
        select min(lane) from {Match._meta.db_table}
        where status = 'queued' and lane > lanes.lane
    ) from lanes where lanes.lane is not null
)
select lane from lanes where lane is not null
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """A job that is ours for a while, and whose turn it was."""

    model: type[BotVersion | Match]
    lease: jobs.Lease
    lane: str


@dataclass(frozen=True, slots=True)
class _Running:
    lane: str
    lease: str
    seconds: float


def claim(worker: str) -> Claim | None:
    """Take the job whose turn it is, unless others take all that wait or it must wait."""
    uploads = _lanes_with_uploads()
    matches = _lanes_with_matches()
    if not uploads and not matches:
        return None
    running = _running()
    lanes = _lanes(uploads.keys() | matches, running)
    places = max(1, sum(Worker.objects.playing().values_list("capacity", flat=True)))
    slow = sum(lane.running for lane in _lanes({one.lane for one in running}, running) if lane.slow)
    for lane in turns.order(lanes, ladders_first=random() < turns.LADDER_SHARE):
        kind = _first_kind(lane.key, uploads)
        if kind is None or not turns.may_start(lane, kind, places, slow):
            continue
        model: type[BotVersion | Match] = BotVersion if kind == CHECK else Match
        if kind == CHECK:
            of_owner = BotVersion.objects.waiting().filter(bot__owner=uploads[lane.key])
            lease = checks.claim(worker, of_owner)
        else:
            lease = services.claim(worker, lane.key)
        if lease:
            claimed = Claim(model, lease, lane.key)
            return claimed if _fits(claimed, lane, kind, places) else None
    return None


def waiting_lanes() -> set[str]:
    """Return the lanes of which a job waits now."""
    return _lanes_with_uploads().keys() | _lanes_with_matches()


def ladder_seconds() -> float:
    """Return how much time of workers the ladders used lately."""
    now = timezone.now()
    return sum(_used(row, now) for row in LaneUse.objects.filter(key__startswith=turns.LADDER))


def charge(claimed: Claim, seconds: float) -> None:
    """Note what a job used, so that others of its lane wait their turn."""
    now = timezone.now()
    row = LaneUse.objects.filter(key=claimed.lane).first() or LaneUse(key=claimed.lane, used_at=now)
    LaneUse.objects.update_or_create(
        key=claimed.lane,
        defaults={
            "used_seconds": _used(row, now) + seconds,
            "mean_seconds": turns.usual(row.mean_seconds, seconds),
            "used_at": now,
        },
    )


def _lanes_with_uploads() -> dict[str, int | None]:
    """Each with the owner whose lane it is."""
    owners = BotVersion.objects.waiting().order_by().values_list("bot__owner", flat=True)
    return {turns.lane_of_user(owner): owner for owner in owners.distinct()}


def _lanes_with_matches() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(_LANES)
        return {lane for (lane,) in cursor.fetchall()}


def _running() -> list[_Running]:
    """What all workers do now. There are never more than they have places."""
    now = timezone.now()

    def seconds(started_at: datetime | None) -> float:
        return (now - started_at).total_seconds() if started_at else 0.0

    matches = Match.objects.filter(status=Match.RUNNING).values_list("lane", "lease", "started_at")
    uploads = BotVersion.objects.filter(status=BotVersion.RUNNING).values_list(
        "bot__owner", "lease", "started_at"
    )
    return [
        *(_Running(lane, str(lease), seconds(at)) for lane, lease, at in matches),
        *(_Running(turns.lane_of_user(who), str(lease), seconds(at)) for who, lease, at in uploads),
    ]


def _lanes(keys: set[str], running: list[_Running]) -> list[Lane]:
    now = timezone.now()
    known = LaneUse.objects.in_bulk(keys)
    jobs_of: dict[str, list[float]] = defaultdict(list)
    for one in running:
        jobs_of[one.lane].append(one.seconds)
    return [
        Lane(
            key=key,
            running=len(jobs_of[key]),
            oldest_seconds=max(jobs_of[key], default=0.0),
            used_seconds=sum(jobs_of[key]) + (_used(known[key], now) if key in known else 0.0),
            mean_seconds=known[key].mean_seconds if key in known else None,
        )
        for key in keys
    ]


def _used(row: LaneUse, now: datetime) -> float:
    return turns.forget(row.used_seconds, (now - row.used_at).total_seconds())


def _first_kind(lane: str, uploads: Mapping[str, int | None]) -> str | None:
    """What of a lane comes next: somebody waits for an upload. While that must wait for jobs of the
    lane that run, no others are taken, or the games of a long tournament would never let it in.
    """
    if lane in uploads:
        return CHECK
    return Match.objects.queued().filter(lane=lane).values_list("kind", flat=True).first()


def _fits(claimed: Claim, lane: Lane, kind: str, places: int) -> bool:
    """Two processes that looked at the same moment may have taken one too many: it goes back."""
    most = turns.max_running(lane, kind, places)
    if most == turns.NO_LIMIT:
        return True
    leases = sorted(one.lease for one in _running() if one.lane == claimed.lane)
    if str(claimed.lease.key) in leases[:most]:
        return True
    jobs.release(claimed.model, claimed.lease)
    return False
