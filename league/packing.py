"""Documents as they are stored and sent: JSON, compressed; the same document, the same bytes."""

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
