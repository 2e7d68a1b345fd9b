"""Blobs in the file of a whole league: a head for each, and its bytes as lines of some length."""

from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.dateparse import parse_datetime

from league.blobs import store
from league.blobs.models import Blob

HEAD, PIECE = "blob", "piece"
PIECE_BYTES = 3 << 18
"""Of a content in one line, which is longer by a third."""


class DamagedBlob(Exception):
    """What the file holds is not what its digest says."""


def write() -> Iterator[dict[str, Any]]:
    """Yield the lines of all blobs that something refers to, wherever their bytes are."""
    used = Blob.objects.exclude(pk__in=Blob.objects.unreferenced().values("pk"))
    for digest, created_at in used.order_by("pk").values_list("pk", "created_at").iterator():
        data = store.read(digest)
        count = -(-len(data) // PIECE_BYTES)
        yield {HEAD: digest, "created_at": created_at.isoformat(), "pieces": count}
        for start in range(0, len(data), PIECE_BYTES):
            yield {PIECE: b64encode(data[start : start + PIECE_BYTES]).decode()}


def read(head: Mapping[str, Any], lines: Iterator[Mapping[str, Any]]) -> None:
    """Store the blob of this head, whose bytes are in the lines that come next."""
    digest, count = str(head[HEAD]), int(head["pieces"])
    data = b"".join(b64decode(next(lines, {}).get(PIECE, "")) for _ in range(count))
    if store.digest_of(data) != digest:
        raise DamagedBlob(f"the blob {digest} is not what its digest says")
    store.write_ahead({digest: data})
    store.put({digest: data})
    Blob.objects.filter(pk=digest).update(created_at=parse_datetime(head["created_at"]))
