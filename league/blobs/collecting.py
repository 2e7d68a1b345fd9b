"""Removing blobs that nothing refers to any more, also from the storage outside."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.core.files.storage import Storage
from django.db import transaction
from django.utils import timezone

from league.blobs.models import Blob
from league.blobs.store import name_of, outside
from league.control.work import MAX_ROWS, portion
from league.database.transactions import atomic_with_retries

GRACE = timedelta(days=1)
"""What was stored for an upload that is not finished yet stays so long."""


def collect(digests: Iterable[str]) -> int:
    """Remove those of these blobs that nothing refers to. Return how many."""
    return sum(_collect(digest) for digest in sorted(digests))


def collect_old() -> int:
    """Remove blobs that nothing refers to and that are older than a day, a limited number per
    call. Return how many.
    """
    old = Blob.objects.unreferenced().filter(created_at__lt=timezone.now() - GRACE)
    digests = old.order_by("pk").values_list("pk", flat=True)[:MAX_ROWS]
    return sum(_collect(digest) for digest in portion(list(digests)))


def collect_strays(limit: int = MAX_ROWS) -> int:
    """Remove what lies outside without a row, such as after a crash, if it is older than a day.
    Return how many. All names are listed, so this is work for once a day.
    """
    storage = outside()
    if storage is None:
        return 0
    before = timezone.now() - GRACE
    removed = 0
    for digest in _stray(storage, before):
        removed += _remove_stray(storage, digest)
        if removed >= limit:
            break
    return removed


@atomic_with_retries
def _collect(digest: str) -> bool:
    """Remove a blob under the lock of its row, which whoever refers to it anew would need."""
    if not Blob.objects.filter(pk=digest).select_for_update().values_list("pk"):
        return False
    if not Blob.objects.unreferenced().filter(pk=digest).exists():
        return False
    Blob.objects.filter(pk=digest).delete()
    if storage := outside():
        # Before the end of the transaction: afterwards somebody could have stored it again.
        storage.delete(name_of(digest))
    return True


def _stray(storage: Storage, before: datetime) -> Iterator[str]:
    for folder in sorted(storage.listdir("")[0]):
        names = sorted(storage.listdir(folder)[1])
        known = set(Blob.objects.filter(pk__in=names).values_list("pk", flat=True))
        for name in names:
            if name not in known and storage.get_modified_time(f"{folder}/{name}") < before:
                yield name


@transaction.atomic
def _remove_stray(storage: Storage, digest: str) -> bool:
    """Remove a file without a row. A row of its own keeps everybody else from storing it now."""
    row, created = Blob.objects.get_or_create(digest=digest[:64], defaults={"size": 0})
    if not created:
        return False
    storage.delete(f"{digest[:2]}/{digest}")
    row.delete()
    return True
