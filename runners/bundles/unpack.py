"""Opening an archive that somebody sent: in a limited child, and checked again when it comes back.

What the child writes is a line of JSON and the contents of all files, one after the other.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from runners import limited_process
from runners.bundles.bundle import Bundle
from runners.bundles.limits import DEFAULT, BundleLimits
from runners.bundles.rules import check_files, check_packed_size, unusable
from runners.failures import InfrastructureError

_BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")
"""Of a zip and of an empty one; no Python file has them."""
MAX_HEAD = 2 << 20
"""Of the line before the contents."""
_FOLDERS = [str(Path(__file__).parents[2])]
_MODULE = "runners.bundles.limited.unzip"


def is_zip(data: bytes) -> bool:
    """Return whether a file claims to be a zip, whether or not it can be opened."""
    return data.startswith(_BEGINNINGS)


def unpack(data: bytes, limits: BundleLimits = DEFAULT) -> Bundle:
    """Return the bundle in a zip; raise a `Finding` with E109 if it is none that we take.

    `InfrastructureError` if nobody can tell at the moment.
    """
    check_packed_size(len(data), limits)
    request = json.dumps(asdict(limits)).encode() + b"\n" + data
    try:
        answer = limited_process.run(
            _MODULE, request, folders=_FOLDERS, limits=_child_limits(limits)
        )
    except limited_process.TooExpensive as error:
        raise unusable(f"{error}; pack the folder again with `karat pack`") from None
    return _read_answer(answer, limits)


def _child_limits(limits: BundleLimits) -> limited_process.ChildLimits:
    """Return what unpacking may take: all files twice, the archive, and Python itself."""
    memory_mib = 2 * limits.unpacked_mib + 2 * limits.packed_mib + 128
    return limited_process.ChildLimits(
        cpu_seconds=5 + limits.unpacked_mib // 16,
        memory_mib=memory_mib,
        wall_seconds=60,
        result_mib=limits.unpacked_mib + (MAX_HEAD >> 20),
    )


def _read_answer(answer: bytes, limits: BundleLimits) -> Bundle:
    """Read what the child made of the archive, and trust none of it."""
    head, newline, contents = answer.partition(b"\n")
    if not newline or len(head) > MAX_HEAD:
        raise InfrastructureError("the answer of an unpacking child has no head")
    try:
        document: dict[str, Any] = json.loads(head)
        refusal = document.get("refusal")
        sizes = {str(path): int(size) for path, size in document.get("files", ())}
    except (ValueError, TypeError, AttributeError) as error:
        raise InfrastructureError(f"the answer of an unpacking child is {error}") from None
    if refusal:
        raise unusable(str(refusal["reason"]), refusal["file"])
    counted = len(sizes) == len(document.get("files", ())) and min(sizes.values(), default=0) >= 0
    if not counted or sum(sizes.values()) != len(contents):
        raise InfrastructureError("the answer of an unpacking child does not add up")
    check_files(sizes, limits)
    files, start = {}, 0
    for path, size in sizes.items():
        files[path] = contents[start : start + size]
        start += size
    return Bundle(files)
