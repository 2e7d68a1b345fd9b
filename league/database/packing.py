"""Packing what is stored and sent: documents as compressed JSON, and the output of bots."""

import gzip
from collections.abc import Mapping
from typing import Any

import msgspec


def pack(document: Mapping[str, Any]) -> bytes:
    """Return a document as bytes, always the same for the same document."""
    return gzip.compress(msgspec.json.encode(document), compresslevel=6, mtime=0)


def unpack(data: bytes | memoryview) -> dict[str, Any]:
    """Return the document of these bytes."""
    document: dict[str, Any] = msgspec.json.decode(gzip.decompress(data))
    return document


def printed_text(data: bytes) -> str:
    """Return what a bot printed as text that every database takes: PostgreSQL stores no NUL."""
    return data.decode("utf-8", "replace").replace("\0", "␀")
