"""The queue of all workers: uploads and matches, taken lane by lane (`turns`)."""

from dataclasses import dataclass, replace
from random import random
from time import monotonic

from django.db.models import F
from django.utils import timezone

from league.bots import checks
from league.bots.models import BotVersion
from league.jobs import leases
from league.matches import services
from league.matches.lane_keys import LADDER
from league.matches.models import Match
from league.workers import lanes, turns
from league.workers.lanes import CHECK, State
from league.workers.models import LaneUse
from league.workers.turns import Lane

REMEMBERED_SECONDS = 0.5
"""How long a process goes by what it saw of the lanes, for jobs that are not bounded."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A job that is ours for a while, and whose turn it was."""

    model: type[BotVersion | Match]
    lease: leases.Lease
    lane: str


class Claimer:
    """Takes one job after the other for one process.

    Reading all lanes costs more than taking a job, and matches may take a few milliseconds only. So
    lanes are read again after a moment, and whenever somebody is next whose jobs are bounded in
    number, or nothing was left where something waited. What is remembered decides whose turn it is;
    who gets a job is decided by the row of the job.
    """

    def __init__(self, worker: str) -> None:
        self._worker = worker
        self._state: State | None = None
        self._read_at = 0.0
        self._claimed_at = 0.0
        self._claimed_lane: str | None = None

    def claim(self) -> Claim | None:
        """Take the job whose turn it is, unless others take all that wait or it must wait."""
        ladders_first = random() < turns.LADDER_SHARE
        state = self._recall()
        claimed = _take(self._worker, state, ladders_first, bounded=False) if state else None
        if claimed is None:
            self._read_at = monotonic()
            self._state = state = lanes.read_state()
            claimed = _take(self._worker, state, ladders_first, bounded=True)
        self._claimed_lane = claimed.lane if claimed else None
        self._claimed_at = monotonic()
        return claimed

    def _recall(self) -> State | None:
        """Return what was seen a moment ago, with what this process itself did since then."""
        now = monotonic()
        if self._state is None or now - self._read_at > REMEMBERED_SECONDS:
            return None
        if (key := self._claimed_lane) in self._state.lanes and key is not None:
            lane = self._state.lanes[key]
            used_seconds = lane.used_seconds + now - self._claimed_at
            self._state.lanes[key] = replace(lane, used_seconds=used_seconds)
        return self._state


def claim(worker: str) -> Claim | None:
    """Take the job whose turn it is by what waits now."""
    return Claimer(worker).claim()


def waiting_lanes() -> set[str]:
    """Return the lanes of which a job waits now."""
    return set(lanes.read_state().lanes)


def ladder_seconds() -> float:
    """Return how much time of workers the ladders used lately."""
    now = timezone.now()
    ladders = LaneUse.objects.filter(key__startswith=LADDER)
    uses = ladders.values_list("used_seconds", "used_at")
    return sum(turns.forget(used, (now - used_at).total_seconds()) for used, used_at in uses)


def charge(claimed: Claim, seconds: float) -> None:
    """Note what a job used, so that others of its lane wait their turn."""
    now = timezone.now()
    use = LaneUse.objects.filter(key=claimed.lane)
    row = use.values_list("used_at", "mean_seconds").first()
    if row is None:
        LaneUse.objects.get_or_create(key=claimed.lane, defaults={"used_at": now})
    used_at, mean_seconds = row or (now, None)
    # Added by the database: two processes may charge one lane at the same moment.
    kept = turns.forget(1.0, (now - used_at).total_seconds())
    use.update(
        used_seconds=F("used_seconds") * kept + seconds,
        mean_seconds=turns.usual(mean_seconds, seconds),
        used_at=now,
    )


def _take(worker: str, state: State, ladders_first: bool, *, bounded: bool) -> Claim | None:
    """Take a job of the first lane that may start one; if bounded ones may not be taken, only until
    the first of those.
    """
    for lane in turns.order(state.lanes.values(), ladders_first=ladders_first):
        kind = state.kinds[lane.key]
        if not turns.may_start(lane, kind, state.places, state.slow_running):
            continue
        if not bounded and not turns.is_free(lane, kind, state.places):
            return None
        if claimed := _take_of(lane, kind, worker, state):
            return claimed if _fits(claimed, lane, kind, state.places) else None
    return None


def _take_of(lane: Lane, kind: str, worker: str, state: State) -> Claim | None:
    if kind == CHECK:
        waiting = BotVersion.objects.waiting().filter(bot__owner=state.owners[lane.key])
        lease = checks.claim(worker, waiting)
        return Claim(BotVersion, lease, lane.key) if lease else None
    lease = services.claim(worker, lane.key)
    return Claim(Match, lease, lane.key) if lease else None


def _fits(claimed: Claim, lane: Lane, kind: str, places: int) -> bool:
    """Two processes that looked at the same moment may have taken one too many: it goes back."""
    most = turns.max_running(lane, kind, places)
    if most == turns.NO_LIMIT or claimed.lease.key in lanes.read_leases(claimed.lane)[:most]:
        return True
    leases.release(claimed.model, claimed.lease)
    return False
