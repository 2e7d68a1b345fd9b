"""A process that plays: it makes sure its walls hold, then takes what waits, one by one."""

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
from league.database.transactions import STORE_SECONDS
from league.jobs.leases import Lease, renewing
from league.workers import fleet, playing, queue, self_test
from league.workers.models import Worker
from runners.box.launch import Box
from runners.box.pool import Pool
from runners.box.select import select_mode
from runners.failures import InfrastructureError
from runners.limits import max_seats

log = logging.getLogger(__name__)

MAX_JOB_SECONDS = 20 + max(
    settings.LIMITS.max_match_seconds(max_seats()), settings.LIMITS.max_check_seconds()
)
"""The hard limit of whatever a process does."""
HEARTBEAT_SECONDS = 5.0
CANARY_SECONDS = 3600
RETRY_SECONDS = 60
"""How soon walls that did not hold are tried again."""

stopping = multiprocessing.RawValue("b", 0)
"""Not zero: finish this match and take no other. Set in the parent, seen by its children; plain
memory, because a signal may set it at any moment."""

_pools: dict[int, Pool] = {}
"""The boxes of this process. By its number, because a fork must not use its parent's."""


def name() -> str:
    """This worker among all: the parent of the processes that play."""
    return os.environ.get("KARAT_WORKER") or f"{socket.gethostname()}-{os.getpid()}"


class _Walls:
    """When this process last tried its walls, and what it saw."""

    def __init__(self) -> None:
        self.held = False
        self.suspected = False
        """A match came to no result here, which the walls may explain."""
        self.tried_at: float | None = None

    def hold(self) -> bool:
        """No match without a green canary younger than an hour in this very process."""
        age = None if self.tried_at is None else monotonic() - self.tried_at
        trusted = self.held and not self.suspected
        if age is None or age > (CANARY_SECONDS if trusted else RETRY_SECONDS):
            self._try()
        return self.held

    def hold_now(self) -> bool:
        """Try them again, however young the last canary is."""
        self._try()
        return self.held

    def _try(self) -> None:
        choice = select_mode(embedded=settings.EMBEDDED)
        self.held, self.tried_at = choice.mode is not None, monotonic()
        self.suspected = False
        if not self.held:
            log.error("no matches are played here. %s", choice.advice)
        Worker.objects.filter(name=name()).update(
            sandbox=choice.mode or "none",
            sandbox_ok=self.held,
            sandbox_said=(choice.advice or "All walls hold.")[:500],
            box_start_ms=_box_start_ms() if self.held else None,
            seen_at=Now(),
        )


def _box_start_ms() -> float | None:
    """How long a box takes from nothing to ready."""
    begun = monotonic()
    try:
        with closing(Box(settings.LIMITS)) as box:
            box.wait_ready()
    except InfrastructureError:
        return None
    return round((monotonic() - begun) * 1000, 1)


class _Duty:
    """Whether this worker may take anything; a reason is logged once, not at every look."""

    def __init__(self) -> None:
        self.refused: str | None = None

    def free(self) -> bool:
        """Ask the row of this worker and the code of the league."""
        refused = fleet.refusal(name())
        if refused and refused != self.refused:
            log.warning("worker %s takes nothing: %s", name(), refused)
        self.refused = refused
        return refused is None


class _Heartbeat:
    """Says that this worker works: by looking for work, or by going on with some. A process that
    is only alive says nothing.
    """

    def __init__(self) -> None:
        self._looked_at = -HEARTBEAT_SECONDS

    def look(self) -> None:
        """This process looks for work now."""
        if monotonic() - self._looked_at >= HEARTBEAT_SECONDS:
            self._looked_at = monotonic()
            Worker.objects.filter(name=name()).update(seen_at=Now(), looked_at=Now())

    def go_on(self) -> None:
        """The lease of what it does was renewed."""
        Worker.objects.filter(name=name()).update(seen_at=Now())


walls = _Walls()
duty = _Duty()
heartbeat = _Heartbeat()


def work(report: Callable[[float], None] = lambda _: None) -> None:
    """Take what waits, one by one, until nothing does or this worker is to stop.

    `report` is told until when the current job must be over, and 0 when it is.
    """
    claimer = queue.Claimer(name())
    while not stopping.value:
        heartbeat.look()
        if not (walls.hold() and _may_work() and work_once(report, claimer)):
            return


def _may_work() -> bool:
    """Whether it may take something, if need be after a test that ends its quarantine."""
    return duty.free() or (self_test.retest_if_due(name(), walls.hold_now) and duty.free())


def work_once(
    report: Callable[[float], None] = lambda _: None, claimer: queue.Claimer | None = None
) -> bool:
    """One upload or one match: whose turn it is."""
    claimed = claimer.claim() if claimer else queue.claim(name())
    if claimed is None:
        return False
    lease = claimed.lease
    with _timed(claimed, report):
        if claimed.model is BotVersion:
            with bound_contextvars(worker=name(), version=lease.pk):
                checks.run(lease)
        else:
            with bound_contextvars(worker=name(), match=lease.pk, attempt=lease.attempt):
                _play(lease)
    return True


@contextmanager
def _timed(claimed: queue.Claim, report: Callable[[float], None]) -> Iterator[None]:
    """The lease is renewed until the hard limit; whoever goes on after it is killed. What a job
    used is charged to its lane.
    """
    begun = monotonic()
    report(begun + MAX_JOB_SECONDS + STORE_SECONDS)
    try:
        with renewing(claimed.model, claimed.lease, MAX_JOB_SECONDS, heartbeat.go_on):
            yield
    finally:
        report(0.0)
        queue.charge(claimed, monotonic() - begun)


def _play(lease: Lease) -> None:
    fleet.took(name())
    if playing.play(lease, pool()):
        log.info("played and stored")
    else:
        walls.suspected = True
        log.warning("came to no result that could be stored")


def pool() -> Pool:
    """The boxes that wait for the next match of this process."""
    pid = os.getpid()
    if pid not in _pools:
        _pools[pid] = Pool(max_seats(), settings.LIMITS)
        atexit.register(close_pool)
    return _pools[pid]


def close_pool() -> None:
    """End the boxes that wait in this process."""
    if kept := _pools.pop(os.getpid(), None):
        kept.close()
