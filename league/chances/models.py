"""What was estimated about finished matches. All of it follows from their records."""

from typing import ClassVar

from django.db import models

from league.matches.models import Match


class MatchChances(models.Model):
    """The chances in a match; of a hidden one they are as hidden as its result.

    The row is made before the work begins: so no two workers do it, and a match with which a
    worker came to grief is not tried for ever.
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
    computed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "match chances"
        indexes: ClassVar = [
            models.Index(fields=["-finished_at", "-swing"], name="chances_of_latest"),
        ]

    def __str__(self) -> str:
        return f"chances in match {self.match_id}"
