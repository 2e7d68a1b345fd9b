"""What is stored and sent: documents as compressed JSON, always the same, and what bots print."""

import gzip
import json
from collections.abc import Mapping
from typing import Any


def pack(document: Mapping[str, Any]) -> bytes:
    """The bytes of a document."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode(), compresslevel=6, mtime=0)


def unpack(data: bytes | memoryview) -> dict[str, Any]:
    """The document again."""
    document: dict[str, Any] = json.loads(gzip.decompress(data))
    return document


def printed_text(data: bytes) -> str:
    """What a bot printed, as text that every database takes: PostgreSQL holds no zero character."""
    return data.decode("utf-8", "replace").replace("\0", "␀")
