"""What was estimated about finished matches. All of it follows from their records."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from bots_sdk.chances.values import CHANCES_VERSION
from league.matches.models import Match

MAX_ATTEMPTS = 3
"""A match with which so many workers came to grief is left alone."""


class MatchChancesQuerySet(models.QuerySet["MatchChances"]):
    """Selections of chances."""

    def unfinished(self) -> "MatchChancesQuerySet":
        """Return those of this version that are claimed and not computed."""
        return self.filter(version=CHANCES_VERSION, computed_at=None)

    def given_up(self) -> "MatchChancesQuerySet":
        """Return those that nobody tries any more."""
        return self.unfinished().filter(attempts__gte=MAX_ATTEMPTS)


class MatchChances(models.Model):
    """The chances in a match; of a hidden one they are as hidden as its result.

    The row is made before the work begins: so no two workers do it, and a match with which workers
    come to grief is not tried for ever.
    """

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="chances")
    version = models.PositiveSmallIntegerField()
    """Of the arithmetic. What another version made is not shown."""
    data = models.JSONField(default=dict)
    """What `Chances.as_data` returns; empty until it is computed, or if it cannot be."""
    swing = models.FloatField(default=0.0)
    """How much there is to watch."""
    finished_at = models.DateTimeField()
    """As of the match, so that the best of a day is one index lookup."""
    claimed_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=1)
    """How often somebody began to compute this version."""
    computed_at = models.DateTimeField(null=True, blank=True)

    objects = MatchChancesQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "match chances"
        indexes: ClassVar = [
            models.Index(fields=["-finished_at", "-swing"], name="chances_of_latest"),
        ]

    def __str__(self) -> str:
        return f"chances in match {self.match_id}"
