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
from typing import Any, ClassVar, TypeVar

from django.db import DatabaseError, InterfaceError, connection, models
from django.db.models import DateTimeField, ExpressionWrapper, F, QuerySet
from django.db.models.functions import Now

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
LEASE_SECONDS = 30.0
RENEW_SECONDS = 10.0
"""Two renewals may fail before a lease lapses."""
MAX_TRIES = 8
"""The number of rows a worker tries to claim before it leaves the queue to the others."""


class Job(models.Model):
    """The fields that every job has. The field `status` is defined by each model itself."""

    WAITING: ClassVar[str]
    RUNNING: ClassVar[str]

    lease = models.UUIDField(null=True, editable=False)
    lease_until = models.DateTimeField(null=True, editable=False)
    attempt = models.PositiveSmallIntegerField(default=0, editable=False)
    worker = models.CharField(max_length=100, blank=True)
    """The worker that has it, or had it last."""
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
    def of(cls, row: Job) -> "Lease":
        """Return the lease under which this row is being worked on."""
        return cls(row.pk, row.lease, row.attempt)


J = TypeVar("J", bound=Job)


def claim(model: type[J], waiting: "QuerySet[J]", worker: str) -> Lease | None:
    """Claim the first waiting row that no other worker claims, and return its lease."""
    for pk, attempt in waiting.values_list("pk", "attempt")[:MAX_TRIES]:
        lease = Lease(pk, uuid.uuid4(), attempt + 1)
        rows = model._default_manager.filter(pk=pk, status=model.WAITING, attempt=attempt)
        won = rows.update(
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


def held(model: type[J], lease: Lease) -> "QuerySet[J]":
    """Return the row of the lease; no row if the lease lapsed and another worker has the job."""
    return model._default_manager.filter(
        pk=lease.pk, status=model.RUNNING, lease=lease.key, attempt=lease.attempt
    )


def release(model: type[J], lease: Lease) -> None:
    """Put back a row whose work has not begun; the claim does not count as an attempt."""
    held(model, lease).update(
        status=model.WAITING,
        lease=None,
        lease_until=None,
        started_at=None,
        attempt=F("attempt") - 1,
    )


def lapsed(model: type[J]) -> "QuerySet[J]":
    """Return the rows whose worker disappeared."""
    return model._default_manager.filter(status=model.RUNNING, lease_until__lt=Now())


def left_by(model: type[J], worker: str) -> "QuerySet[J]":
    """Return the rows that a worker of this name was working on when it ended."""
    return model._default_manager.filter(status=model.RUNNING, worker=worker)


@contextmanager
def renewing(
    model: type[Job],
    lease: Lease,
    max_seconds: float,
    on_renewal: Callable[[], object] = lambda: None,
) -> Iterator[None]:
    """Renew a lease while the block runs, but never beyond `max_seconds` from now.

    The thread has its own database connection, as threads have in Django. It does nothing else:
    boxes are started by the main thread, with which they end.
    """
    over = threading.Event()
    until = monotonic() + max_seconds

    def renew() -> None:
        while not over.wait(RENEW_SECONDS):
            seconds = min(LEASE_SECONDS, until - monotonic())
            if seconds <= 0:
                log.error(
                    "%s %s exceeded its time limit; its lease will lapse", model.__name__, lease.pk
                )
                return
            try:
                held(model, lease).update(lease_until=in_seconds(seconds))
                # Called even if the job was taken away meanwhile, say by an organiser who voids a
                # table: the process is busy until the block ends.
                on_renewal()
            except (DatabaseError, InterfaceError) as error:
                log.warning(
                    "could not renew the lease of %s %s: %s", model.__name__, lease.pk, error
                )
            finally:
                connection.close()

    threading.Thread(target=renew, name="lease", daemon=True).start()
    try:
        yield
    finally:
        over.set()


def in_seconds(seconds: float) -> "ExpressionWrapper[Any]":
    """Return the time so many seconds from now, by the clock of the database."""
    return ExpressionWrapper(Now() + timedelta(seconds=seconds), output_field=DateTimeField())
