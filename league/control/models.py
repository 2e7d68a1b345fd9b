"""Control processes: a row for each host on which one runs."""

from datetime import timedelta

from django.db import models
from django.utils import timezone

SILENCE = timedelta(seconds=60)
"""A control process without a heartbeat for so long is not working."""


class ControlProcess(models.Model):
    """A control process as it last reported itself, which it does after the work of a tick."""

    host = models.CharField(max_length=200, unique=True)
    pid = models.PositiveIntegerField()
    code = models.CharField(max_length=64)
    """A hash of all code that decides how a match runs."""
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    work = models.JSONField(default=dict)
    """By kind of work: when it was last done, in how many milliseconds, and how much."""

    class Meta:
        ordering = ["-seen_at"]

    def __str__(self) -> str:
        return f"{self.host} ({self.pid})"

    @property
    def alive(self) -> bool:
        """Return whether it had a heartbeat lately."""
        return self.silent_seconds <= SILENCE.total_seconds()

    @property
    def silent_seconds(self) -> float:
        """Return how long ago it last finished some work."""
        return max(0.0, (timezone.now() - self.seen_at).total_seconds())


def latest() -> ControlProcess | None:
    """Return the control process with the latest heartbeat, if there ever was one."""
    return ControlProcess.objects.first()
