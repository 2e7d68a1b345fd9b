"""Opens an archive that a stranger sent. A program for a limited child; it writes to no disk.

Names, count and sizes are checked before a byte is unpacked, and no file gets larger than the
archive says.
"""

import json
import zlib
from collections.abc import Iterator

from runners.bundles.limited.zip_layout import STORED, Entry, read_layout
from runners.bundles.limits import BundleLimits
from runners.bundles.rules import check_files, places, unusable
from runners.upload.finding import Finding

ENTRIES_PER_FILE = 20
"""Folders and junk are no files of a bundle, but somebody has to read the list of them."""
_RAW = -zlib.MAX_WBITS


def answer(data: bytes) -> bytes:
    """Return the files of the archive that follows the first line, which holds the limits."""
    head, newline, _ = data.partition(b"\n")
    limits = BundleLimits(**json.loads(head))
    try:
        files = dict(_unzip(data, len(head) + len(newline), limits))
    except Finding as finding:
        refusal = {"reason": finding.values["reason"], "file": finding.file}
        return json.dumps({"refusal": refusal}).encode() + b"\n"
    sizes = [(path, len(content)) for path, content in files.items()]
    return b"".join([json.dumps({"files": sizes}).encode(), b"\n", *files.values()])


def _unzip(data: bytes, start: int, limits: BundleLimits) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the bundle in an archive, by their paths in the bundle."""
    layout = read_layout(data, start, ENTRIES_PER_FILE * limits.files)
    names = places(entry.name for entry, _ in layout if not entry.is_folder)
    _check_folders([entry for entry, _ in layout if entry.is_folder], names)
    check_files(
        {names[entry.name]: entry.size for entry, _ in layout if entry.name in names}, limits
    )
    for entry, content in layout:
        if entry.name in names:
            yield names[entry.name], _unpack(entry, content)
        elif entry.is_folder:
            _unpack(entry, content)


def _check_folders(folders: list[Entry], names: dict[str, str]) -> None:
    for folder in folders:
        if folder.name.rstrip("/") in names:
            raise unusable("a file and a folder have this name; rename one of them", folder.name)


def _unpack(entry: Entry, packed: memoryview) -> bytes:
    """Return the content of an entry, which must be what the archive says of it."""
    content = bytes(packed) if entry.method == STORED else _inflate(entry, packed)
    if len(content) != entry.size or zlib.crc32(content) != entry.crc:
        raise _damaged(entry)
    return content


def _inflate(entry: Entry, packed: memoryview) -> bytes:
    """Inflate no more than the archive says there is, and a byte to notice that there is more."""
    stream = zlib.decompressobj(_RAW)
    try:
        content = stream.decompress(packed, entry.size + 1)
    except zlib.error:
        raise _damaged(entry) from None
    if not stream.eof or stream.unused_data:
        raise _damaged(entry)
    return content


def _damaged(entry: Entry) -> Finding:
    reason = "its content is damaged, or not as large as the archive says; pack the folder again"
    return unusable(reason, entry.name)
