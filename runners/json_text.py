"""JSON as the referee writes it: compact, in UTF-8, one line.

msgspec writes it several times as fast, and every league has it. A bot author's installation need
not have it: there, and for values that msgspec refuses, the standard library writes the same.
"""

import json
from typing import Any

try:
    from msgspec.json import encode as encode_quickly
except ImportError:
    encode_quickly = None  # type: ignore[assignment]

_standard = json.JSONEncoder(check_circular=False, separators=(",", ":"), ensure_ascii=False).encode


def encode_slowly(value: Any) -> bytes:  # noqa: ANN401  whatever JSON can say
    """Return a value as JSON, by the standard library alone."""
    # Half a surrogate pair is no character, and UTF-8 has no bytes for it.
    return _standard(value).encode("utf-8", "replace")


def encode(value: Any) -> bytes:  # noqa: ANN401  whatever JSON can say
    """Return a value as JSON."""
    try:
        return encode_quickly(value)
    except (TypeError, ValueError):
        # There is no msgspec, or a game has numbers and texts of classes of its own.
        return encode_slowly(value)


__all__ = ["encode", "encode_slowly"]
