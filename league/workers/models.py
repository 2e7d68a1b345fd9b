"""Workers, their failed attempts, and the working time used by the lanes of the queue."""

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.utils import timezone

from league.matches.models import Match

SILENCE = timedelta(seconds=30)
"""A worker whose last heartbeat is older counts as gone."""


class WorkerQuerySet(models.QuerySet["Worker"]):
    """Selections of workers."""

    def heard_of(self) -> "WorkerQuerySet":
        """Return the workers with a recent heartbeat."""
        return self.filter(seen_at__gte=timezone.now() - SILENCE)

    def playing(self) -> "WorkerQuerySet":
        """Return the workers that currently take matches."""
        return self.heard_of().filter(sandbox_ok=True, draining=False, quarantined_at=None)


class Worker(models.Model):
    """A process that plays matches, as it last reported itself."""

    name = models.CharField(max_length=100, unique=True)
    started_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(null=True)
    """When it last looked for work, or made progress with some."""
    looked_at = models.DateTimeField(null=True)
    """When one of its processes last looked for work."""
    capacity = models.PositiveSmallIntegerField(default=1)
    version = models.CharField(max_length=64, blank=True)
    """The version of its code: a match is played by a single version."""
    sandbox = models.CharField(max_length=20, blank=True)
    sandbox_ok = models.BooleanField(default=False)
    sandbox_said = models.CharField(max_length=500, blank=True)
    finished = models.PositiveBigIntegerField(default=0)
    draining = models.BooleanField(default=False)
    """An operator lets it finish its jobs and take no new ones."""
    unfinished = models.PositiveIntegerField(default=0)
    """Matches it took since it last finished one."""
    taking_since = models.DateTimeField(null=True)
    """When it took the first of them."""
    box_start_ms = models.FloatField(null=True)
    """How long a box took to start in the last test of the sandbox."""
    quarantined_at = models.DateTimeField(null=True)
    """The league does not trust it: it takes no jobs until it passes a self-test."""
    quarantine_reason = models.CharField(max_length=300, blank=True)
    retest_at = models.DateTimeField(null=True)
    """When its next self-test is due."""
    released_at = models.DateTimeField(null=True)
    """When its last quarantine ended; what happened before no longer counts as evidence."""
    quarantine_count = models.PositiveIntegerField(default=0)
    """How often it was quarantined since it was first registered."""
    quarantine_streak = models.PositiveSmallIntegerField(default=0)
    """How often lately: each time it has to wait longer."""

    objects = WorkerQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class FailedAttempt(models.Model):
    """An attempt of a worker to play a match that gave no result."""

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
    """The working time that the jobs of a lane used lately (see `turns`)."""

    key = models.CharField(max_length=60, primary_key=True)
    used_seconds = models.FloatField(default=0.0)
    """As of `used_at`; it decays over time."""
    used_at = models.DateTimeField()
    mean_seconds = models.FloatField(null=True)
    """The average duration of a job of the lane."""

    def __str__(self) -> str:
        return f"{self.key}: {self.used_seconds:.1f} s"


class RulesCode(models.Model):
    """The code version that plays matches since a point in time. The last row is in force."""

    code = models.CharField(max_length=64)
    since = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.code
