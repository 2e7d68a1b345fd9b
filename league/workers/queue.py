"""The queue of all workers: uploads, playground runs and matches, lane by lane (`turns`)."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import random
from time import monotonic

from django.db.models import F
from django.utils import timezone

from league.bots import checks
from league.bots.models import BotVersion
from league.jobs import leases
from league.matches.lane_keys import LADDER
from league.matches.models import Match
from league.playground import services as playground
from league.playground.models import PlaygroundRun
from league.workers import claiming, lanes, turns
from league.workers.lanes import CHECK, PLAYGROUND, State
from league.workers.models import LaneUse
from league.workers.turns import Lane

REMEMBERED_SECONDS = 0.5
"""How long a process relies on its last look at the lanes, for jobs without a limit."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A job that this process holds for a while, and whose turn it was."""

    model: type[BotVersion | Match | PlaygroundRun]
    lease: leases.Lease
    lane: str


class Claimer:
    """Claims one job after the other for one process.

    Reading all lanes costs more than claiming a job, and matches may take only a few milliseconds.
    So lanes are read again after a moment, when the next lane has a limit of running jobs, and when
    a lane turns out to be empty. The remembered lanes decide whose turn it is; who gets a job is
    decided by the row of the job.
    """

    def __init__(self, worker: str) -> None:
        self._worker = worker
        self._state: State | None = None
        self._read_at = 0.0
        self._claimed_at = 0.0
        self._claimed_lane: str | None = None
        self._unwritten: dict[str, list[float]] = defaultdict(list)

    def claim(self, may_work: Callable[[], bool] = lambda: True) -> Claim | None:
        """Claim the job whose turn it is; None if others claim all jobs or it has to wait.

        `may_work` is asked before the lanes are read again; the statement that claims a match
        checks it by itself.
        """
        ladders_first = random() < turns.LADDER_SHARE
        state = self._recall()
        claimed = _take(self._worker, state, ladders_first, bounded=False) if state else None
        if claimed is None and may_work():
            self.write_charges()
            self._read_at = monotonic()
            self._state = state = lanes.read_state()
            claimed = _take(self._worker, state, ladders_first, bounded=True)
        self._claimed_lane = claimed.lane if claimed else None
        self._claimed_at = monotonic()
        return claimed

    def charge(self, claimed: Claim, seconds: float) -> None:
        """Charge a job to its lane. That is written before lanes are read again, for several jobs
        at once: if this process dies, a lane got a moment for nothing.
        """
        self._unwritten[claimed.lane].append(seconds)

    def write_charges(self) -> None:
        """Write what the jobs used since lanes were last read."""
        while self._unwritten:
            lane, seconds = self._unwritten.popitem()
            _charge(lane, seconds)

    def _recall(self) -> State | None:
        """Return the lanes of a moment ago, with what this process itself used since then."""
        now = monotonic()
        if self._state is None or now - self._read_at > REMEMBERED_SECONDS:
            return None
        if (key := self._claimed_lane) in self._state.lanes and key is not None:
            lane = self._state.lanes[key]
            used_seconds = lane.used_seconds + now - self._claimed_at
            self._state.lanes[key] = replace(lane, used_seconds=used_seconds)
        return self._state


def claim(worker: str) -> Claim | None:
    """Claim the job whose turn it is, by the lanes as they are now."""
    return Claimer(worker).claim()


def waiting_lanes() -> set[str]:
    """Return the lanes with a waiting job."""
    return set(lanes.read_state().lanes)


def ladder_seconds() -> float:
    """Return how much of the workers' time the ladders used lately."""
    now = timezone.now()
    ladders = LaneUse.objects.filter(key__startswith=LADDER)
    uses = ladders.values_list("used_seconds", "used_at")
    return sum(turns.forget(used, (now - used_at).total_seconds()) for used, used_at in uses)


def charge(claimed: Claim, seconds: float) -> None:
    """Charge a job to its lane, so that other jobs of the lane wait their turn."""
    _charge(claimed.lane, [seconds])


def _charge(lane: str, jobs: Sequence[float]) -> None:
    now = timezone.now()
    use = LaneUse.objects.filter(key=lane)
    row = use.values_list("used_at", "mean_seconds").first()
    if row is None:
        LaneUse.objects.get_or_create(key=lane, defaults={"used_at": now})
    used_at, mean_seconds = row or (now, None)
    for seconds in jobs:
        mean_seconds = turns.usual(mean_seconds, seconds)
    # Added by the database: two processes may charge one lane at the same moment.
    remaining = turns.forget(1.0, (now - used_at).total_seconds())
    use.update(
        used_seconds=F("used_seconds") * remaining + sum(jobs),
        mean_seconds=mean_seconds,
        used_at=now,
    )


def _take(worker: str, state: State, ladders_first: bool, *, bounded: bool) -> Claim | None:
    """Claim a job of the first lane that may start one; unless `bounded` ones are allowed, stop at
    a lane with a limit of running jobs, or with a job that is not a match.
    """
    for lane in turns.order(state.lanes.values(), ladders_first=ladders_first):
        kind = state.kinds[lane.key]
        if not turns.may_start(lane, kind, state.places, state.slow_running):
            continue
        read_first = kind in (CHECK, PLAYGROUND) or not turns.is_free(lane, kind, state.places)
        if not bounded and read_first:
            return None
        if claimed := _take_of(lane, kind, worker, state):
            return claimed if _fits(claimed, lane, kind, state.places) else None
    return None


def _take_of(lane: Lane, kind: str, worker: str, state: State) -> Claim | None:
    if kind == CHECK:
        waiting = BotVersion.objects.waiting().filter(bot__owner=state.owners[lane.key])
        lease = checks.claim(worker, waiting)
        return Claim(BotVersion, lease, lane.key) if lease else None
    if kind == PLAYGROUND:
        lease = playground.claim(worker, lane.key)
        return Claim(PlaygroundRun, lease, lane.key) if lease else None
    lease = claiming.claim(worker, lane.key)
    return Claim(Match, lease, lane.key) if lease else None


def _fits(claimed: Claim, lane: Lane, kind: str, places: int) -> bool:
    """Return whether the job stays within the limit of its lane; if not, give it back.

    Two processes that looked at the same moment may have claimed one too many.
    """
    limit = turns.max_running(lane, kind, places)
    if limit == turns.NO_LIMIT or claimed.lease.key in lanes.read_leases(claimed.lane)[:limit]:
        return True
    leases.release(claimed.model, claimed.lease)
    return False
