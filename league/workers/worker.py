"""A process that plays: it checks its sandbox, then does one job after the other."""

import atexit
import logging
import multiprocessing
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from time import monotonic

from django.conf import settings
from django.db.models.functions import Now
from structlog.contextvars import bound_contextvars

from league.bots import checks
from league.bots.models import BotVersion
from league.chances.spare_time import SpareTime
from league.database.transactions import STORE_SECONDS
from league.jobs.leases import Lease, renewing
from league.playground import playing as playground
from league.playground.models import PlaygroundRun
from league.workers import fleet, playing, queue
from league.workers.models import Worker
from league.workers.trust import self_test
from runners.box.launch import Box
from runners.box.modes import Mode, in_force
from runners.box.pool import Pool
from runners.box.select import select_mode
from runners.failures import InfrastructureError
from runners.limits import max_seats

log = logging.getLogger(__name__)

MAX_JOB_SECONDS = 20 + max(
    settings.LIMITS.max_match_seconds(max_seats()), settings.LIMITS.max_check_seconds()
)
"""The hard limit of every job."""
MAX_SPARE_SECONDS = 60.0
"""The hard limit of what is done when there is no job."""
HEARTBEAT_SECONDS = 5.0
CANARY_SECONDS = 3600
RETRY_SECONDS = 60
"""How soon a sandbox that did not hold is tried again."""
LOST_TEMPLATE = (
    "The template of the boxes has ended. Bubblewrap starts them, which takes longer, until the "
    "walls are tried again."
)

stopping = multiprocessing.RawValue("b", 0)
"""Not zero: finish this job and take no other. Set in the parent, seen by its children; plain
memory, because a signal may set it at any moment."""

_pools: dict[int, Pool] = {}
"""The boxes of this process, by process id: a fork must not use those of its parent."""


def name() -> str:
    """Return the name of this worker: that of the parent of all processes that play."""
    return os.environ.get("KARAT_WORKER") or f"{socket.gethostname()}-{os.getpid()}"


class _Walls:
    """When this process last tried the walls of its sandbox, and whether they held."""

    def __init__(self) -> None:
        self.held = False
        self.suspected = False
        """A match had no result here, for which broken walls may be the reason."""
        self.tried_at: float | None = None
        self._mode: Mode | None = None

    def hold(self) -> bool:
        """Return whether they hold, by a canary of this very process not older than an hour."""
        if self._mode and self._mode is not in_force():
            self._tell_of_other_mode()
        age = None if self.tried_at is None else monotonic() - self.tried_at
        trusted = self.held and not self.suspected
        if age is None or age > (CANARY_SECONDS if trusted else RETRY_SECONDS):
            self._try()
        return self.held

    def hold_now(self) -> bool:
        """Return whether they hold now, however recent the last canary is."""
        self._try()
        return self.held

    def _try(self) -> None:
        choice = select_mode(embedded=settings.EMBEDDED)
        self.held, self.tried_at = choice.mode is not None, monotonic()
        self.suspected = False
        self._mode = choice.mode
        if not self.held:
            log.error("this worker plays no matches: %s", choice.advice)
        Worker.objects.filter(name=name()).update(
            sandbox=choice.mode or "none",
            sandbox_ok=self.held,
            sandbox_said=(choice.advice or "All walls hold.")[:500],
            box_start_ms=_box_start_ms() if self.held else None,
            seen_at=Now(),
        )

    def _tell_of_other_mode(self) -> None:
        """Tell that boxes lost their template, and have the walls tried again soon."""
        self._mode, self.suspected = in_force(), True
        Worker.objects.filter(name=name()).update(sandbox=self._mode, sandbox_said=LOST_TEMPLATE)


def _box_start_ms() -> float | None:
    """Return how long a box takes to start; None if it does not."""
    started = monotonic()
    try:
        with closing(Box(settings.LIMITS)) as box:
            box.wait_ready()
    except InfrastructureError:
        return None
    return round((monotonic() - started) * 1000, 1)


class _Duty:
    """Whether this worker may take jobs; a reason is logged once, not at every look."""

    def __init__(self) -> None:
        self._reason: str | None = None

    def free(self) -> bool:
        """Return whether it may, by its row and by the code of the league."""
        reason = fleet.refusal(name())
        if reason and reason != self._reason:
            log.warning("worker %s takes no jobs: %s", name(), reason)
        self._reason = reason
        return reason is None


class _Heartbeat:
    """Reports that this worker looks for work or goes on with some.

    A process that is merely alive reports nothing.
    """

    def __init__(self) -> None:
        self._looked_at = -HEARTBEAT_SECONDS

    def look(self) -> None:
        """Report that this process looks for work now."""
        if monotonic() - self._looked_at >= HEARTBEAT_SECONDS:
            self._looked_at = monotonic()
            Worker.objects.filter(name=name()).update(seen_at=Now(), looked_at=Now())

    def go_on(self) -> None:
        """Report that the lease of its job was renewed."""
        Worker.objects.filter(name=name()).update(seen_at=Now())


walls = _Walls()
duty = _Duty()
heartbeat = _Heartbeat()
spare_time = SpareTime(lambda: bool(stopping.value))


def work(report: Callable[[float], None] = lambda _: None) -> None:
    """Do one job after the other until none is left for this worker or it has to stop.

    `report` gets the deadline of the current job, and 0 when it is done.
    """
    claimer = queue.Claimer(name())
    while not stopping.value:
        heartbeat.look()
        if not (walls.hold() and work_once(report, claimer)):
            break
    claimer.write_charges()


def use_spare_time(report: Callable[[float], None] = lambda _: None) -> bool:
    """Do a little that can wait, if there is something. Return whether there was.

    Called when there is no job; after it, jobs come first again.
    """
    if stopping.value:
        return False
    report(monotonic() + MAX_SPARE_SECONDS)
    try:
        return spare_time.use()
    finally:
        report(0.0)


def _may_work() -> bool:
    """Return whether it may take jobs, if need be after a test that ends its quarantine."""
    return duty.free() or (self_test.retest_if_due(name(), walls.hold_now) and duty.free())


def work_once(
    report: Callable[[float], None] = lambda _: None, claimer: queue.Claimer | None = None
) -> bool:
    """Do the upload, run or match whose turn it is. Return whether there was one."""
    claimed = claimer.claim(_may_work) if claimer else queue.claim(name())
    if claimed is None:
        return False
    lease = claimed.lease
    with _timed(claimed, report, claimer.charge if claimer else queue.charge):
        if claimed.model is BotVersion:
            with bound_contextvars(worker=name(), version=lease.pk):
                checks.run(lease)
        elif claimed.model is PlaygroundRun:
            with bound_contextvars(worker=name(), run=lease.pk):
                walls.suspected |= not playground.run(lease, pool())
        else:
            with bound_contextvars(worker=name(), match=lease.pk, attempt=lease.attempt):
                _play(lease)
    return True


@contextmanager
def _timed(
    claimed: queue.Claim,
    report: Callable[[float], None],
    charge: Callable[[queue.Claim, float], None],
) -> Iterator[None]:
    """Renew the lease until the hard limit, after which the process is killed; charge the time that
    the job used to its lane.
    """
    started = monotonic()
    report(started + MAX_JOB_SECONDS + STORE_SECONDS)
    try:
        with renewing(claimed.model, claimed.lease, MAX_JOB_SECONDS, heartbeat.go_on):
            yield
    finally:
        report(0.0)
        charge(claimed, monotonic() - started)


def _play(lease: Lease) -> None:
    fleet.took(name())
    if playing.play(lease, pool()):
        spare_time.note(lease.pk)
        log.info("played and stored the match")
    else:
        walls.suspected = True
        log.warning("the match had no result that could be stored")


def pool() -> Pool:
    """Return the boxes that are ready for the next match of this process."""
    pid = os.getpid()
    if pid not in _pools:
        _pools[pid] = Pool(max_seats(), settings.LIMITS)
        atexit.register(close_pool)
    return _pools[pid]


def close_pool() -> None:
    """End the boxes that are ready in this process."""
    if pool := _pools.pop(os.getpid(), None):
        pool.close()
