"""A process that plays: it makes sure its walls hold, then takes what waits, one by one."""

import atexit
import logging
import multiprocessing
import os
import socket
from contextlib import closing
from time import monotonic

from django.conf import settings
from django.db.models.functions import Now
from structlog.contextvars import bound_contextvars

from league.bots import checks
from league.jobs import Lease
from league.matches import fleet, playing, services
from league.matches.models import Worker
from league.messages import DRAIN_SECONDS
from runners.box.choice import settle
from runners.box.launch import Box, OurFailure
from runners.box.pool import Pool

log = logging.getLogger(__name__)

MOST_SEATS = 5
CANARY_SECONDS = 3600
RETRY_SECONDS = 60
"""How soon walls that did not hold are tried again."""

stopping = multiprocessing.Event()
"""Set in the parent, seen by its children: finish this match and take no other."""

_pools: dict[int, Pool] = {}
"""The boxes of this process. By its number, because a fork must not use its parent's."""


def name() -> str:
    """This worker among all: the parent of the processes that play."""
    return os.environ.get("KARAT_WORKER") or f"{socket.gethostname()}-{os.getpid()}"


class _Walls:
    """When this process last tried its walls, and what it saw."""

    def __init__(self) -> None:
        self.held = False
        self.tried_at: float | None = None

    def hold(self) -> bool:
        """No match without a green canary younger than an hour in this very process."""
        age = None if self.tried_at is None else monotonic() - self.tried_at
        if age is None or age > (CANARY_SECONDS if self.held else RETRY_SECONDS):
            self._try()
        return self.held

    def _try(self) -> None:
        choice = settle(embedded=settings.EMBEDDED)
        self.held, self.tried_at = choice.mode is not None, monotonic()
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
    except OurFailure:
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


walls = _Walls()
duty = _Duty()


def work(seconds: float = DRAIN_SECONDS) -> bool:
    """Take what waits until nothing does or the time is over. Whether something may be left."""
    if not walls.hold():
        return False
    until = monotonic() + seconds
    while monotonic() < until and not stopping.is_set():
        if not duty.free() or not work_once():
            return False
    return not stopping.is_set()


def work_once() -> bool:
    """One upload or one match. Somebody waits for an upload, so that comes first."""
    if lease := checks.claim():
        with bound_contextvars(worker=name(), version=lease.pk):
            checks.run(lease)
        return True
    if lease := services.claim(name()):
        with bound_contextvars(worker=name(), match=lease.pk, attempt=lease.attempt):
            _play(lease)
        return True
    return False


def _play(lease: Lease) -> None:
    fleet.took(name())
    if playing.play(lease, pool()):
        log.info("played and stored")
    else:
        log.warning("came to no result that could be stored")


def pool() -> Pool:
    """The boxes that wait for the next match of this process."""
    pid = os.getpid()
    if pid not in _pools:
        _pools[pid] = Pool(MOST_SEATS, settings.LIMITS)
        atexit.register(_pools[pid].close)
    return _pools[pid]
