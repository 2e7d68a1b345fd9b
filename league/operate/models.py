"""Inspections of the stored data, and maintenance: backups, compactions and collections."""

from typing import ClassVar

from django.db import models
from django.utils import timezone


class Inspection(models.Model):
    """An inspection of the stored data: its subject, how much was inspected, what was wrong."""

    class Subject(models.TextChoices):
        """What was inspected."""

        RECORDS = "records", "Do records come out the same when they are played again?"
        LEDGER = "ledger", "Do all ratings follow from the matches?"
        STANDINGS = "standings", "Are the statistics of bots the sums over their matches?"
        MATCHES = "matches", "Has every finished match its record and its places?"
        BLOBS = "blobs", "Are all files of bots there, and what they were?"

    subject = models.CharField(max_length=10, choices=Subject)
    begun_at = models.DateTimeField(auto_now_add=True)
    seconds = models.FloatField(null=True)
    """None while it is running, or if its process was ended."""
    looked_at = models.PositiveBigIntegerField(default=0)
    wrong = models.PositiveBigIntegerField(default=0)
    named = models.JSONField(default=list)
    """The first problems, in words."""

    class Meta:
        ordering: ClassVar = ["-begun_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["subject", "-begun_at"], name="inspections_of_subject")
        ]

    def __str__(self) -> str:
        return f"{self.subject}: {self.wrong} wrong of {self.looked_at}"


class MaintenanceRun(models.Model):
    """A backup, a compaction or a collection of unused files that was completed."""

    class Kind(models.TextChoices):
        """What was done."""

        BACKUP = "backup"
        COMPACTION = "compaction"
        COLLECTION = "collection"

    kind = models.CharField(max_length=10, choices=Kind)
    finished_at = models.DateTimeField(default=timezone.now)
    size_bytes = models.PositiveBigIntegerField(default=0)
    """Of the backup, of the table of records afterwards, or of all files of bots."""
    detail = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering: ClassVar = ["-finished_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["kind", "-finished_at"], name="maintenance_by_kind")
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}"
