"""Writing and reading blobs: in the database, or in the storage that BLOB_STORE names.

Whoever refers to a blob calls `put` or `hold` first, in the same transaction: that locks its row,
and `collecting` takes no row that somebody else has locked. Bytes that lie outside are written
again if they are not there under the lock, so no crash and no race can lose them.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256

from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages
from django.db import connection
from django.db.models import BinaryField
from django.db.models.functions import Substr
from django.utils import timezone

from league.blobs.models import Blob
from league.database import large_values
from runners.failures import InfrastructureError

STORAGE = "blobs"
"""What the storage is called in Django's settings; without one the database has the bytes."""
_TABLE = Blob._meta.db_table
_INSERT = (
    f"insert into {_TABLE} (digest, size, data, created_at) values (%s, %s, %s, %s)"
    " on conflict (digest) do nothing"
)
_SELECT = f"select data from {_TABLE} where digest = %s"
Contents = Mapping[str, bytes]
"""Contents by their digests."""


def digest_of(data: bytes) -> str:
    """Return the name of a content."""
    return sha256(data).hexdigest()


def outside() -> Storage | None:
    """Return the storage outside of the database, if there is one."""
    return storages[STORAGE] if STORAGE in storages.backends else None


def name_of(digest: str) -> str:
    """Return the name of a blob outside."""
    return f"{digest[:2]}/{digest}"


def describe() -> str:
    """Return where the bytes are; fail if nothing can be read there. A worker writes nothing, so
    writing is not tried.
    """
    storage = outside()
    if storage is None:
        return "in the database"
    storage.exists(name_of(digest_of(b"")))
    return f"in {type(storage).__name__.lower()} {_place(storage)}"


def _place(storage: Storage) -> str:
    """Return the folder or the bucket, without keys."""
    bucket = getattr(storage, "bucket_name", None)
    location = str(getattr(storage, "location", ""))
    return f"{bucket}/{location}" if bucket else location


def write_ahead(contents: Contents) -> None:
    """Write what the league lacks to the storage outside, before the transaction that needs it:
    no lock has to wait for a disk or a network. Without such a storage there is nothing to do.
    """
    if storage := outside():
        for digest in sorted(contents.keys() - _known(contents)):
            _write(storage, digest, contents[digest])


def put(contents: Contents) -> None:
    """Store contents that this transaction goes on to refer to, each once."""
    storage = outside()
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    missing = set(contents)
    while missing:
        for digest in sorted(missing - _known(missing)):
            data = contents[digest]
            stored = data if storage is None else None
            large_values.execute(_INSERT, [digest, len(data), stored, now])
        missing -= hold(missing)
    if storage is not None:
        _complete(storage, contents)


def hold(digests: Iterable[str]) -> set[str]:
    """Lock these blobs until the end of the transaction, lowest first; return those there are."""
    rows = Blob.objects.filter(pk__in=set(digests)).order_by("pk")
    return set(rows.select_for_update(no_key=True).values_list("pk", flat=True))


def read(digest: str) -> bytes:
    """Return a content, verified; `InfrastructureError` if it is missing or damaged."""
    stored = large_values.read(_SELECT, [digest])
    data = bytes(stored) if stored is not None else _read_outside(digest)
    if digest_of(data) != digest:
        raise InfrastructureError(f"the blob {digest} is damaged")
    return data


def read_head(digest: str, length: int) -> bytes:
    """Return the beginning of a content, to show it to people: it is not verified. Nothing if it
    cannot be had.
    """
    head = Substr("data", 1, length, output_field=BinaryField())
    stored = Blob.objects.filter(pk=digest).values_list(head, flat=True).first()
    if stored is not None:
        return bytes(stored)
    try:
        storage = outside()
        if storage is None:
            return b""
        with storage.open(name_of(digest)) as file:
            return bytes(file.read(length))
    except OSError:
        return b""


def _known(digests: Iterable[str]) -> set[str]:
    return set(Blob.objects.filter(pk__in=list(digests)).values_list("pk", flat=True))


def _complete(storage: Storage, contents: Contents) -> None:
    """Write what is not outside although its row says so; the rows are locked."""
    rows = Blob.objects.filter(pk__in=list(contents), data=None)
    for digest in rows.order_by("pk").values_list("pk", flat=True):
        if not _is_complete(storage, digest, len(contents[digest])):
            _write(storage, digest, contents[digest])


def _is_complete(storage: Storage, digest: str, size: int) -> bool:
    try:
        return storage.size(name_of(digest)) == size
    except OSError:
        return False


def _write(storage: Storage, digest: str, data: bytes) -> None:
    try:
        storage.save(name_of(digest), ContentFile(data))
    except OSError as error:
        raise InfrastructureError(f"the blob {digest} cannot be written: {error}") from error


def _read_outside(digest: str) -> bytes:
    storage = outside()
    if storage is None:
        raise InfrastructureError(f"the blob {digest} is missing")
    try:
        with storage.open(name_of(digest)) as file:
            return bytes(file.read())
    except OSError as error:
        raise InfrastructureError(f"the blob {digest} cannot be read: {error}") from error
