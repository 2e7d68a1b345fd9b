"""Rows that are jobs: claimed by one worker at a time, for a while, a few times at most.

A claim is one UPDATE that only one worker can win. It sets a short lease by the clock of the
database, which a thread renews while the work goes on; whoever stores a result must still hold it.
A worker that dies simply lets its lease lapse.
"""

import logging
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import Any

from django.db import DatabaseError, InterfaceError, connection, models
from django.db.models import DateTimeField, ExpressionWrapper, F
from django.db.models.functions import Now

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
LEASE_SECONDS = 30.0
RENEW_SECONDS = 10.0
"""Two renewals may fail before a lease lapses."""
MAX_TRIES = 8
"""So many rows a worker tries to claim before it gives up: others are taking all that wait."""


class Job(models.Model):
    """The fields of a job. `status` is the model's own."""

    WAITING: str
    RUNNING: str

    lease = models.UUIDField(null=True, editable=False)
    lease_until = models.DateTimeField(null=True, editable=False)
    attempt = models.PositiveSmallIntegerField(default=0, editable=False)
    worker = models.CharField(max_length=100, blank=True)
    """Who has it, or had it last."""
    started_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a row until it lapses."""

    pk: int
    key: uuid.UUID | None
    attempt: int

    @classmethod
    def of(cls, row: Any) -> "Lease":
        """The lease under which this row is worked on now."""
        return cls(row.pk, row.lease, row.attempt)


def claim(model: type[Any], waiting: Any, worker: str) -> Lease | None:
    """The first of some that wait which nobody else takes."""
    for pk, attempt in waiting.values_list("pk", "attempt")[:MAX_TRIES]:
        lease = Lease(pk, uuid.uuid4(), attempt + 1)
        won = model.objects.filter(pk=pk, status=model.WAITING, attempt=attempt).update(
            status=model.RUNNING,
            lease=lease.key,
            lease_until=in_seconds(LEASE_SECONDS),
            attempt=lease.attempt,
            worker=worker,
            started_at=Now(),
        )
        if won:
            return lease
    return None


def held(model: type[Any], lease: Lease) -> Any:
    """The row of the lease, or none if it lapsed and somebody else has it."""
    return model.objects.filter(
        pk=lease.pk, status=model.RUNNING, lease=lease.key, attempt=lease.attempt
    )


def release(model: type[Any], lease: Lease) -> None:
    """Put a row back that nobody began to work on; it does not count as an attempt."""
    held(model, lease).update(
        status=model.WAITING,
        lease=None,
        lease_until=None,
        started_at=None,
        attempt=F("attempt") - 1,
    )


def lapsed(model: type[Any]) -> Any:
    """Rows whose worker went away."""
    return model.objects.filter(status=model.RUNNING, lease_until__lt=Now())


def left_by(model: type[Any], worker: str) -> Any:
    """Rows that a worker of this name had when it ended."""
    return model.objects.filter(status=model.RUNNING, worker=worker)


@contextmanager
def renewing(
    model: type[Any],
    lease: Lease,
    max_seconds: float,
    on_renewal: Callable[[], object] = lambda: None,
) -> Iterator[None]:
    """Keep a lease while the block runs, but never beyond so many seconds from now.

    The thread has a connection of its own, as threads have in Django, and nothing else to do: boxes
    are started by the main thread, with which they die.
    """
    over = threading.Event()
    until = monotonic() + max_seconds

    def renew() -> None:
        while not over.wait(RENEW_SECONDS):
            seconds = min(LEASE_SECONDS, until - monotonic())
            if seconds <= 0:
                log.error("%s %s takes too long; its lease lapses", model.__name__, lease.pk)
                return
            try:
                held(model, lease).update(lease_until=in_seconds(seconds))
                # Also if the job was taken away meanwhile, say by an organiser who voids a table:
                # whoever does it is at work until it is over.
                on_renewal()
            except (DatabaseError, InterfaceError) as error:
                log.warning("the lease of %s %s: %s", model.__name__, lease.pk, error)
            finally:
                connection.close()

    threading.Thread(target=renew, name="lease", daemon=True).start()
    try:
        yield
    finally:
        over.set()


def in_seconds(seconds: float) -> ExpressionWrapper:
    """So many seconds from now, by the clock of the database."""
    return ExpressionWrapper(Now() + timedelta(seconds=seconds), output_field=DateTimeField())
