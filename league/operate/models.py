"""What the league found out about its own data."""

from typing import ClassVar

from django.db import models


class Inspection(models.Model):
    """One look at the stored data: which question, how much was looked at, what was wrong."""

    class Subject(models.TextChoices):
        """What was asked."""

        RECORDS = "records", "Do records come out the same when they are played again?"
        LEDGER = "ledger", "Do all ratings follow from the matches?"
        STANDINGS = "standings", "Are the statistics of bots the sums over their matches?"
        MATCHES = "matches", "Has every finished match its record and its places?"

    subject = models.CharField(max_length=10, choices=Subject)
    begun_at = models.DateTimeField(auto_now_add=True)
    seconds = models.FloatField(null=True)
    """None while it goes on, or if its process was ended."""
    looked_at = models.PositiveBigIntegerField(default=0)
    wrong = models.PositiveBigIntegerField(default=0)
    named = models.JSONField(default=list)
    """The first things that were wrong, for people."""

    class Meta:
        ordering: ClassVar = ["-begun_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["subject", "-begun_at"], name="inspections_of_subject")
        ]

    def __str__(self) -> str:
        return f"{self.subject}: {self.wrong} wrong of {self.looked_at}"
