"""Workers, what became of what they played, and what the lanes of the queue used of them."""

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.utils import timezone

from league.matches.models import Match

SILENCE = timedelta(seconds=30)
"""A worker that was not heard of for longer is taken for gone."""


class WorkerQuerySet(models.QuerySet["Worker"]):
    """Which workers."""

    def heard_of(self) -> "WorkerQuerySet":
        """Not silent for so long that they must be taken for gone."""
        return self.filter(seen_at__gte=timezone.now() - SILENCE)

    def playing(self) -> "WorkerQuerySet":
        """Those that take matches now."""
        return self.heard_of().filter(sandbox_ok=True, draining=False, quarantined_at=None)


class Worker(models.Model):
    """A process that plays matches, as it last reported itself."""

    name = models.CharField(max_length=100, unique=True)
    started_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(null=True)
    """When it last looked for work, or went on with some."""
    looked_at = models.DateTimeField(null=True)
    """When one of its processes last looked for work."""
    capacity = models.PositiveSmallIntegerField(default=1)
    version = models.CharField(max_length=64, blank=True)
    """Of our code: one match is played by one version of it."""
    sandbox = models.CharField(max_length=20, blank=True)
    sandbox_ok = models.BooleanField(default=False)
    sandbox_said = models.CharField(max_length=500, blank=True)
    finished = models.PositiveBigIntegerField(default=0)
    draining = models.BooleanField(default=False)
    """An operator wants it to finish what it plays and to take nothing new."""
    unfinished = models.PositiveIntegerField(default=0)
    """Matches it took since it last finished one."""
    taking_since = models.DateTimeField(null=True)
    """When it took the first of them."""
    box_start_ms = models.FloatField(null=True)
    """How long a box took to come up when the walls were last tried."""
    quarantined_at = models.DateTimeField(null=True)
    """The league itself does not trust it: it takes nothing until it has passed a self-test."""
    quarantine_reason = models.CharField(max_length=300, blank=True)
    retest_at = models.DateTimeField(null=True)
    """When it may try itself again."""
    released_at = models.DateTimeField(null=True)
    """When it last came back; what happened before is no evidence any more."""
    quarantine_count = models.PositiveIntegerField(default=0)
    """How often it was set aside in its life."""
    quarantine_streak = models.PositiveSmallIntegerField(default=0)
    """How often lately: each time it waits longer."""

    objects = WorkerQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class FailedAttempt(models.Model):
    """A match that came to no result at a worker. Whose bots played in it is in its seats."""

    worker = models.CharField(max_length=100)
    match = models.ForeignKey(Match, models.CASCADE, related_name="failed_attempts")
    failed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["worker", "failed_at"], name="attempts_of_a_worker")
        ]

    def __str__(self) -> str:
        return f"match {self.match_id} at {self.worker}"


class LaneUse(models.Model):
    """What the jobs of a lane used of the workers' time lately (`turns`)."""

    key = models.CharField(max_length=60, primary_key=True)
    used_seconds = models.FloatField(default=0.0)
    """As of `used_at`; less counts as time goes on."""
    used_at = models.DateTimeField()
    mean_seconds = models.FloatField(null=True)
    """What a job of it takes."""

    def __str__(self) -> str:
        return f"{self.key}: {self.used_seconds:.1f} s"


class RulesCode(models.Model):
    """The code that matches are played by, from a moment on. The last row is in force."""

    code = models.CharField(max_length=64)
    since = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.code
