"""Packing what is stored and sent: documents as compressed JSON, and the output of bots."""

import gzip
import json
from collections.abc import Mapping
from typing import Any


def pack(document: Mapping[str, Any]) -> bytes:
    """Return a document as bytes, always the same for the same document."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode(), compresslevel=6, mtime=0)


def unpack(data: bytes | memoryview) -> dict[str, Any]:
    """Return the document of these bytes."""
    document: dict[str, Any] = json.loads(gzip.decompress(data))
    return document


def printed_text(data: bytes) -> str:
    """Return what a bot printed as text that every database takes: PostgreSQL stores no NUL."""
    return data.decode("utf-8", "replace").replace("\0", "␀")
