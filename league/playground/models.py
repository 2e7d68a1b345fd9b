"""Runs of the playground: code, a match to play with it, and for an hour what came of it."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse

from league.jobs.leases import Job


class RunQuerySet(models.QuerySet["PlaygroundRun"]):
    """Selections of runs."""

    def waiting(self) -> "RunQuerySet":
        """Return those that wait for a worker, the longest waiting first."""
        return self.filter(status=PlaygroundRun.Status.WAITING).order_by("created_at", "pk")

    def unfinished(self) -> "RunQuerySet":
        """Return those that wait or are being played."""
        return self.filter(status__in=[PlaygroundRun.Status.WAITING, PlaygroundRun.Status.RUNNING])


class PlaygroundRun(Job):
    """One match of the playground. Its row is also the job of playing it.

    It counts nowhere: no rating, no statistics, no list and no API knows it.
    """

    class Status(models.TextChoices):
        """The stages of a run."""

        WAITING = "waiting"
        RUNNING = "running"
        FINISHED = "finished"
        STUCK = "stuck"

    WAITING = Status.WAITING
    RUNNING = Status.RUNNING

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    """Its address. Whoever knows it may look; nobody can guess it."""
    client = models.CharField(max_length=60)
    """The user or the browser session of a guest, who has one unfinished run at a time."""
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", null=True, blank=True
    )
    """Nobody owns the run of a guest."""
    lane = models.CharField(max_length=60)
    """Whose turns it uses up; all guests share one lane."""
    code = models.TextField()
    game = models.CharField(max_length=30)
    opponents = models.JSONField(default=list)
    """The names of the house bots in the other seats."""
    seed = models.CharField(max_length=64)
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)
    duration_ms = models.PositiveIntegerField(null=True)
    place = models.PositiveSmallIntegerField(null=True)
    score = models.IntegerField(null=True)
    forfeited = models.BooleanField(default=False)
    decisions = models.PositiveIntegerField(default=0)
    slowest_ms = models.FloatField(default=0.0)
    faults = models.JSONField(default=list)
    """What the bot did wrong: code, step, the values of its message, and the traceback."""
    record = models.BinaryField(null=True)
    """With what the bot noted, compressed."""
    printed = models.TextField(blank=True)
    cut = models.BooleanField(default=False)
    marks = models.JSONField(default=list)
    """After each decision: its step, and how much was printed until then."""

    objects = RunQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["client"],
                name="unfinished_run_of_a_client",
                condition=models.Q(status__in=["waiting", "running"]),
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["lane", "created_at"],
                name="runs_to_play",
                condition=models.Q(status__in=["waiting", "running"]),
            ),
            models.Index(fields=["client", "-created_at"], name="runs_of_a_client"),
            models.Index(fields=["created_at"], name="runs_by_age"),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} of {self.game}"

    @property
    def seat_count(self) -> int:
        """Return the number of seats at its table."""
        return len(self.opponents) + 1

    @property
    def unfinished(self) -> bool:
        """Return whether it waits or is being played."""
        return self.status in (self.Status.WAITING, self.Status.RUNNING)

    def get_absolute_url(self) -> str:
        """Return its address, which is the permission to see it."""
        return reverse("playground:run", args=[self.key])
