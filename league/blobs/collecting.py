"""Removing blobs that nothing refers to any more, also from the storage outside."""

import logging
import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice

from django.core.files.storage import Storage
from django.db import transaction
from django.utils import timezone

from league.blobs.models import Blob
from league.blobs.store import name_of, outside
from league.control.work import MAX_ROWS, portion
from league.database.transactions import atomic_with_retries

log = logging.getLogger(__name__)

_NAME = re.compile(r"[0-9a-f]{64}(\.[0-9a-f]+\.growing)?")
GRACE = timedelta(days=1)
"""What was stored for an upload that is not finished yet stays so long."""


def collect(digests: Iterable[str]) -> int:
    """Remove those of these blobs that nothing refers to. Return how many."""
    return sum(_collect(digest) for digest in sorted(digests))


def discard(digests: Iterable[str]) -> None:
    """Remove what was written outside for rows that did not come to be."""
    storage = outside()
    if storage is None:
        return
    written = set(digests)
    known = set(Blob.objects.filter(pk__in=written).values_list("pk", flat=True))
    for digest in sorted(written - known):
        try:
            _remove_stray(storage, name_of(digest))
        except OSError as error:
            log.warning("could not remove the blob %s: %s", digest, error)


def collect_old() -> int:
    """Remove blobs that nothing refers to and that are older than a day, a limited number per
    call. Return how many.
    """
    old = Blob.objects.unreferenced().filter(created_at__lt=timezone.now() - GRACE)
    digests = list(old.order_by("pk").values_list("pk", flat=True)[:MAX_ROWS])
    return sum(_try_to_collect(digest) for digest in portion(digests))


def collect_strays(limit: int = MAX_ROWS, now: datetime | None = None) -> int:
    """Remove what lies outside without a row, such as after a crash, if it is older than a day.
    Return how many. All names are listed, so this is work for once a day.
    """
    storage = outside()
    if storage is None:
        return 0
    before = (now or timezone.now()) - GRACE
    strays = islice(_strays(storage, before), limit)
    return sum(_remove_stray(storage, name) for name in strays)


def _try_to_collect(digest: str) -> bool:
    """Remove a blob; one whose bytes cannot be removed now keeps its row and its turn tomorrow."""
    try:
        return _collect(digest)
    except OSError as error:
        log.warning("could not remove the blob %s: %s", digest, error)
        return False


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


def _strays(storage: Storage, before: datetime) -> Iterator[str]:
    """Yield the old files that are named like blobs and have no row, or were never completed."""
    for folder in _names(storage, "", 0):
        names = [name for name in _names(storage, folder, 1) if _NAME.fullmatch(name)]
        known = set(Blob.objects.filter(pk__in=names).values_list("pk", flat=True))
        for name in sorted(set(names) - known):
            if storage.get_modified_time(f"{folder}/{name}") < before:
                yield f"{folder}/{name}"


def _names(storage: Storage, folder: str, kind: int) -> list[str]:
    """Return the folders (kind 0) or the files (kind 1) there; none if there is no such folder."""
    try:
        return sorted(storage.listdir(folder)[kind])
    except FileNotFoundError:
        return []


@transaction.atomic
def _remove_stray(storage: Storage, name: str) -> bool:
    """Remove a file without a row. A row of its own keeps everybody else from storing it now."""
    digest, _, growing = name.partition("/")[2].partition(".")
    if not growing:
        row, created = Blob.objects.get_or_create(digest=digest, defaults={"size": 0})
        if not created:
            return False
        row.delete()
    storage.delete(name)
    return True
