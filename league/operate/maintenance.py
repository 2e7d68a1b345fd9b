"""Backups, compactions and collections: when they were last done, and how much space the data
takes.
"""

import os
import shutil
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.models import Q, Sum
from django.utils import timezone

from league.blobs.models import Blob
from league.matches.models import Record
from league.operate.models import MaintenanceRun

Kind = MaintenanceRun.Kind
KEPT_DAYS = 400


def note(kind: Kind, size_bytes: int, detail: str) -> MaintenanceRun:
    """Store that some maintenance was done."""
    old = timezone.now() - timedelta(days=KEPT_DAYS)
    MaintenanceRun.objects.filter(kind=kind, finished_at__lt=old).delete()
    return MaintenanceRun.objects.create(kind=kind, size_bytes=size_bytes, detail=detail[:300])


def latest(kind: Kind) -> MaintenanceRun | None:
    """Return the last time it was done, if ever."""
    return MaintenanceRun.objects.filter(kind=kind).first()


def compaction_due() -> bool:
    """Return whether it is the hour to compact old records, and it was not done today."""
    return settings.COMPACT_KEEP >= 0 and _due(Kind.COMPACTION)


def collection_due() -> bool:
    """Return whether it is the hour to remove unused files, and it was not done today."""
    return _due(Kind.COLLECTION)


def _due(kind: Kind) -> bool:
    now = timezone.now()
    if now.hour != settings.COMPACT_HOUR:
        return False
    last = latest(kind)
    return last is None or last.finished_at < now - timedelta(hours=12)


def blobs_bytes() -> tuple[int, int]:
    """Return the size of all files of bots, and the part of it that is in the database."""
    inside = Sum("size", filter=Q(data__isnull=False))
    sizes = Blob.objects.aggregate(total=Sum("size"), inside=inside)
    return int(sizes["total"] or 0), int(sizes["inside"] or 0)


def database_bytes() -> int:
    """Return how much disk space the database takes."""
    if connection.vendor == "sqlite":
        path = Path(settings.DATABASES["default"]["NAME"])
        files = (path.with_name(path.name + end) for end in ("", "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def records_bytes() -> int:
    """Return how much space the table of records takes, dead rows included."""
    if connection.vendor == "sqlite":
        return database_bytes()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_total_relation_size(%s)", [Record._meta.db_table])
        return int(cursor.fetchone()[0])


def reuse_space() -> None:
    """Let new rows reuse the space of dead ones. SQLite does so by itself."""
    if connection.vendor == "postgresql" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute(f"VACUUM {connection.ops.quote_name(Record._meta.db_table)}")


def return_space() -> None:
    """Return the space of dead rows to the disk. The table is locked meanwhile."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"VACUUM FULL {connection.ops.quote_name(Record._meta.db_table)}")
        else:
            cursor.execute("VACUUM")


def disk() -> tuple[int, int]:
    """Return the size of the disk with the data folder, and the free space on it."""
    usage = shutil.disk_usage(os.fspath(settings.VAR))
    return usage.total, usage.free
