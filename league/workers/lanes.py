"""The current lanes: what is waiting and running in each, read with one statement.

Every claim begins here, so no model instances are made.
"""

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from league.bots.models import Bot, BotVersion
from league.matches import lane_keys
from league.matches.models import Match
from league.playground.models import PlaygroundRun
from league.workers import fleet, turns
from league.workers.models import LaneUse
from league.workers.turns import Lane

CHECK = "check"
PLAYGROUND = "playground"
_URGENT = (PLAYGROUND, CHECK)
"""The kinds of jobs that a person is waiting for."""

_MATCHES = Match._meta.db_table
# The lane as `lane_keys.lane_of_user` has it. The status is asked for in the words of the
# condition of the index: SQLite takes a partial index only then.
_UPLOADS = f"""
    select upload.status, coalesce('{lane_keys.USER}' || bot.owner_id, '{lane_keys.HOUSE}') as lane,
        bot.owner_id as owner, upload.lease, upload.started_at
    from {BotVersion._meta.db_table} upload join {Bot._meta.db_table} bot on bot.id = upload.bot_id
    where upload.status in ('waiting', 'checking')
        and (upload.status = 'checking' or upload.suspended_at is null)
"""
_RUNS = f"""
    select status, lane, lease, started_at from {PlaygroundRun._meta.db_table}
    where status in ('waiting', 'running')
"""
# One index lookup for each lane: an ordinary DISTINCT would read all queued matches.
_STATE = f"""
with recursive queued(lane) as (
    select min(lane) from {_MATCHES} where status = 'queued'
    union all
    select (
        select min(lane) from {_MATCHES} where status = 'queued' and lane > queued.lane
    ) from queued where queued.lane is not null
),
uploads as ({_UPLOADS}),
runs as ({_RUNS}),
jobs(waits, kind, lane, owner, started_at) as (
    select 0, kind, lane, null, started_at from {_MATCHES} where status = 'running'
    union all
    select 0, '{CHECK}', lane, owner, started_at from uploads where status = 'checking'
    union all
    select 1, '{CHECK}', lane, owner, max(started_at) from uploads where status = 'waiting'
    group by lane, owner
    union all
    select 0, '{PLAYGROUND}', lane, null, started_at from runs where status = 'running'
    union all
    select 1, '{PLAYGROUND}', lane, null, max(started_at) from runs where status = 'waiting'
    group by lane
    union all
    select 1, (
        select kind from {_MATCHES} one where one.status = 'queued' and one.lane = queued.lane
        order by one.priority, one.id limit 1
    ), lane, null, null from queued where lane is not null
)
select waits, kind, lane, owner, started_at, used_seconds, used_at, mean_seconds
from jobs left join {LaneUse._meta.db_table} used on used.key = jobs.lane
"""
_LEASES = f"""
select lease from {_MATCHES} where status = 'running' and lane = %s
union all
select lease from ({_UPLOADS}) uploads where status = 'checking' and lane = %s
union all
select lease from ({_RUNS}) runs where status = 'running' and lane = %s
"""


@dataclass(frozen=True, slots=True)
class State:
    """All that is waiting and running at one moment."""

    lanes: dict[str, Lane]
    """The lanes with a waiting job."""
    kinds: dict[str, str]
    """The kind of the next job in each; runs of the playground and then uploads come first, as a
    person is waiting. While one of these must wait for running jobs of its lane, no others are
    taken: the games of a long tournament would never let it in.
    """
    owners: dict[str, int | None]
    """Of the lanes with a waiting upload."""
    slow_running: int
    """How many jobs of slow lanes are running."""
    places: int
    """Of all workers."""


def read_state() -> State:
    """Return what is waiting and running now."""
    with connection.cursor() as cursor:
        cursor.execute(_STATE)
        rows = cursor.fetchall()
    now = timezone.now()
    kinds: dict[str, str] = {}
    owners: dict[str, int | None] = {}
    running: dict[str, list[float]] = defaultdict(list)
    uses: dict[str, tuple[float | None, Any, float | None]] = {}
    for waits, kind, lane, owner, started_at, *use in rows:
        uses[lane] = (use[0], use[1], use[2])
        if not waits:
            running[lane].append(_seconds_since(started_at, now))
            continue
        if kind == CHECK:
            owners[lane] = owner
        kinds[lane] = min(kind, kinds.get(lane, kind), key=_urgency)
    lanes = {key: _lane(key, running.get(key, []), use, now) for key, use in uses.items()}
    return State(
        lanes={key: lanes[key] for key in kinds},
        kinds=kinds,
        owners=owners,
        slow_running=sum(lane.running for lane in lanes.values() if lane.slow),
        places=fleet.capacity() if kinds else 1,
    )


def _urgency(kind: str) -> int:
    """Return the rank of a kind within its lane, the first to be served first."""
    return _URGENT.index(kind) if kind in _URGENT else len(_URGENT)


def read_leases(lane: str) -> list[UUID]:
    """Return the leases of all running jobs of a lane, in the same order for everybody."""
    with connection.cursor() as cursor:
        cursor.execute(_LEASES, [lane, lane, lane])
        return sorted(UUID(str(lease)) for (lease,) in cursor.fetchall())


def _lane(
    key: str, running: list[float], use: tuple[float | None, Any, float | None], now: datetime
) -> Lane:
    used_seconds, used_at, mean_seconds = use
    recent = turns.forget(used_seconds, _seconds_since(used_at, now)) if used_seconds else 0.0
    return Lane(
        key=key,
        running=len(running),
        oldest_seconds=max(running, default=0.0),
        used_seconds=sum(running) + recent,
        mean_seconds=mean_seconds,
    )


def _seconds_since(moment: datetime | str | None, now: datetime) -> float:
    """Return how long ago it was. SQLite stores times as text in UTC, without a zone."""
    if moment is None:
        return 0.0
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (now - moment).total_seconds()
