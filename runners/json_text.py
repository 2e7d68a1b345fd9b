"""JSON as the referee writes it: compact, in UTF-8, without NaN.

msgspec writes it several times as fast, and every league has it. A bot author's installation need
not: there the standard library writes the same values.
"""

import json
from typing import Any

_standard = json.JSONEncoder(
    check_circular=False, separators=(",", ":"), ensure_ascii=False, allow_nan=False
).encode


def encode_slowly(value: Any) -> bytes:  # noqa: ANN401  whatever JSON can say
    """Return a value as JSON, by the standard library alone."""
    # Half a surrogate pair is no character; a bot's source may have one, and UTF-8 has not.
    return _standard(value).encode("utf-8", "replace")


try:
    from msgspec.json import encode
except ImportError:
    encode = encode_slowly  # type: ignore[assignment]

__all__ = ["encode", "encode_slowly"]
