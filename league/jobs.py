"""Rows that are jobs: claimed by one worker at a time, for a while, a few times at most.

A claim is one UPDATE that only one worker can win. It sets a lease by the clock of the database;
whoever stores a result must still hold it. A worker that dies simply lets its lease lapse.
"""

import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import models
from django.db.models import DateTimeField, ExpressionWrapper
from django.db.models.functions import Now

MOST_ATTEMPTS = 3
TRIED = 8
"""So many rows a worker tries to claim before it gives up: others are taking all that wait."""


class Job(models.Model):
    """The fields of a job. `status` is the model's own."""

    WAITING: str
    RUNNING: str

    lease = models.UUIDField(null=True, editable=False)
    lease_until = models.DateTimeField(null=True, editable=False)
    attempt = models.PositiveSmallIntegerField(default=0, editable=False)

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


def claim(model: type[Any], waiting: Any, seconds: float, **changes: Any) -> Lease | None:
    """The first of some that wait which nobody else takes."""
    for pk, attempt in waiting.values_list("pk", "attempt")[:TRIED]:
        lease = Lease(pk, uuid.uuid4(), attempt + 1)
        won = model.objects.filter(pk=pk, status=model.WAITING, attempt=attempt).update(
            status=model.RUNNING,
            lease=lease.key,
            lease_until=in_seconds(seconds),
            attempt=lease.attempt,
            **changes,
        )
        if won:
            return lease
    return None


def held(model: type[Any], lease: Lease) -> Any:
    """The row of the lease, or none if it lapsed and somebody else has it."""
    return model.objects.filter(
        pk=lease.pk, status=model.RUNNING, lease=lease.key, attempt=lease.attempt
    )


def lapsed(model: type[Any]) -> Any:
    """Rows whose worker went away."""
    return model.objects.filter(status=model.RUNNING, lease_until__lt=Now())


def in_seconds(seconds: float) -> ExpressionWrapper:
    """So many seconds from now, by the clock of the database."""
    return ExpressionWrapper(Now() + timedelta(seconds=seconds), output_field=DateTimeField())
