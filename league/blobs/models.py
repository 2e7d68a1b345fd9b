"""Contents of files, each stored once however many files have it."""

from django.db import models


class BlobQuerySet(models.QuerySet["Blob"]):
    """Selections of blobs."""

    def unreferenced(self) -> "BlobQuerySet":
        """Return those that no row refers to, whatever tables have references."""
        relations = [str(relation.name) for relation in Blob._meta.related_objects]
        return self.filter(**{f"{relation}__isnull": True for relation in relations})


class Blob(models.Model):
    """A content with its SHA-256. `store` reads and writes it, wherever the bytes are."""

    digest = models.CharField(max_length=64, primary_key=True)
    size = models.PositiveBigIntegerField()
    data = models.BinaryField(null=True)
    """None if the bytes are outside the database."""
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    objects = BlobQuerySet.as_manager()

    def __str__(self) -> str:
        return self.digest[:12]
