"""Who ticks: a row for each host on which a control process runs."""

from datetime import timedelta

from django.db import models
from django.utils import timezone

SILENCE = timedelta(seconds=60)
"""A control process that did nothing for so long is not working."""


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
        """Whether it was heard of lately."""
        return self.silent_seconds <= SILENCE.total_seconds()

    @property
    def silent_seconds(self) -> float:
        """How long ago it last finished some work."""
        return max(0.0, (timezone.now() - self.seen_at).total_seconds())


def latest() -> ControlProcess | None:
    """The control process that was heard of last, if there ever was one."""
    return ControlProcess.objects.first()
