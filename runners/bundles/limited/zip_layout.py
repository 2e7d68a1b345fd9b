"""The layout of a zip, read strictly: every byte belongs to one thing, or the file is refused.

A file that two programs could read differently is refused. What common tools write is accepted:
data descriptors, extra fields, comments, folders. Zip64 is not: no upload is that large.
"""

import stat
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

from runners.bundles.paths import leads_out
from runners.bundles.rules import unusable
from runners.upload.finding import Finding

STORED, DEFLATED = 0, 8

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_EXTRA = struct.Struct("<2H")
_UNICODE_NAME = struct.Struct("<BI")
_DESCRIPTOR = struct.Struct("<3I")
_LOCAL_SIGNATURE, _CENTRAL_SIGNATURE = b"PK\x03\x04", b"PK\x01\x02"
_END_SIGNATURE, _DESCRIPTOR_SIGNATURE = b"PK\x05\x06", b"PK\x07\x08"
_ENCRYPTED, _HAS_DESCRIPTOR, _UTF_8 = 0x1, 0x8, 0x800
_KNOWN_FLAGS = _HAS_DESCRIPTOR | _UTF_8 | 0x6
"""The last two bits say how hard the packer tried."""
_ZIP64_EXTRA, _UNICODE_NAME_EXTRA = 0x0001, 0x7075
_DOS_FOLDER, _DOS_SPECIAL = 0x10, 0x08 | 0x40 | 0x400
"""The latter are a label of a disk, a device and a link of Windows."""
_MAX_SHORT, _MAX_LONG = 0xFFFF, 0xFFFFFFFF
_AGAIN = "pack the folder again with `karat pack` or another program"


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder of an archive, as the directory at the archive's end describes it."""

    name: str
    raw_name: bytes
    flags: int
    method: int
    crc: int
    packed_size: int
    size: int
    offset: int
    """Of its own header, before its content."""

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder, which has no content."""
        return self.name.endswith("/")

    def content_start(self, extra_length: int) -> int:
        """Return where its content begins."""
        return self.offset + _LOCAL.size + len(self.raw_name) + extra_length


def read_layout(data: bytes, start: int, max_entries: int) -> list[tuple[Entry, memoryview]]:
    """Return the entries of the archive that begins at `start`, each with its packed content."""
    archive = memoryview(data)[start:]
    directory, end = _find_directory(data, start)
    entries = list(_read_directory(archive[directory:end], max_entries))
    entry_count = _END.unpack_from(archive, end)[4]
    if len(entries) != entry_count:
        raise unusable(
            f"the archive says that it has {entry_count:,} entries and lists {len(entries):,};"
            f" {_AGAIN}"
        )
    if len({entry.raw_name for entry in entries}) != len(entries):
        raise unusable("a name is there twice; keep one", _first_double(entries))
    return list(_contents(archive[:directory], sorted(entries, key=lambda entry: entry.offset)))


def _find_directory(data: bytes, start: int) -> tuple[int, int]:
    """Return where the directory begins and ends, counted from `start`."""
    at = data.rfind(_END_SIGNATURE, start)
    if at < 0 or at + _END.size > len(data):
        raise unusable(f"it is not a whole zip: its end is missing; {_AGAIN}")
    _, disk, first_disk, on_disk, total, size, offset, comment = _END.unpack_from(data, at)
    if at + _END.size + comment != len(data):
        raise unusable(f"something stands behind the end of the archive; {_AGAIN}")
    if _MAX_SHORT in (total, on_disk) or _MAX_LONG in (size, offset):
        raise unusable(f"it is a Zip64 archive, or has more than 65,000 entries; {_AGAIN}")
    if disk or first_disk or on_disk != total:
        raise unusable("it is one part of a split archive; pack the folder into one file")
    if offset + size != at - start:
        raise unusable(f"its list of files is not where the archive says it is; {_AGAIN}")
    return offset, at - start


def _first_double(entries: list[Entry]) -> str:
    names: set[bytes] = set()
    for entry in entries:
        if entry.raw_name in names:
            return entry.name
        names.add(entry.raw_name)
    return ""


def _read_directory(directory: memoryview, max_entries: int) -> Iterator[Entry]:
    """Yield what the directory lists; it must have no byte more."""
    at = count = 0
    while at < len(directory):
        if (count := count + 1) > max_entries:
            raise unusable(
                f"the archive has more than {max_entries:,} entries;"
                " leave out what the bot does not load"
            )
        if at + _CENTRAL.size > len(directory):
            raise unusable(f"its list of files is damaged; {_AGAIN}")
        fields = _CENTRAL.unpack_from(directory, at)
        lengths = fields[10:13]
        at += _CENTRAL.size
        if fields[0] != _CENTRAL_SIGNATURE or at + sum(lengths) > len(directory):
            raise unusable(f"its list of files is damaged; {_AGAIN}")
        raw_name = bytes(directory[at : at + lengths[0]])
        extra = directory[at + lengths[0] : at + lengths[0] + lengths[1]]
        at += sum(lengths)
        yield _as_entry(raw_name, extra, fields)


def _as_entry(raw_name: bytes, extra: memoryview, fields: tuple[int, ...]) -> Entry:
    flags, method, crc, packed_size, size = fields[3], fields[4], *fields[7:10]
    disk, attributes, offset = fields[13], *fields[15:17]
    name = _decode(raw_name, extra, flags)
    entry = Entry(name, raw_name, flags, method, crc, packed_size, size, offset)
    if flags & _ENCRYPTED:
        raise unusable("it is encrypted; pack the folder without a password", name)
    if flags & ~_KNOWN_FLAGS or method not in {STORED, DEFLATED}:
        raise unusable(
            "it is compressed in a way that we do not read;"
            " choose the ordinary compression of zip (deflate)",
            name,
        )
    if _MAX_LONG in (packed_size, size, offset) or disk:
        raise unusable(f"it is written in the Zip64 form or split; {_AGAIN}", name)
    if method == STORED and packed_size != size:
        raise unusable(f"its two sizes do not agree; {_AGAIN}", name)
    _check_kind(entry, attributes)
    return entry


def _decode(raw_name: bytes, extra: memoryview, flags: int) -> str:
    """Return a name, which is UTF-8 in one place or the other, and the same in both."""
    try:
        name = raw_name.decode()
    except UnicodeDecodeError:
        name = ""
    shown = name or raw_name.decode("latin-1")
    for number, content in _fields_of(extra, shown):
        if number == _ZIP64_EXTRA:
            raise unusable(f"it is written in the Zip64 form; {_AGAIN}", shown)
        if number == _UNICODE_NAME_EXTRA:
            other = _unicode_name(content, raw_name, shown)
            if name and other != name:
                raise unusable(f"it has two names in the archive; {_AGAIN}", shown)
            name = "" if flags & _UTF_8 else other
    if not name:
        raise unusable("the name is not UTF-8; rename the file, best in ASCII", shown)
    if "\0" in name:
        raise unusable("the name has a character that cannot be seen; rename the file", name)
    return name


def _fields_of(extra: memoryview, name: str) -> Iterator[tuple[int, bytes]]:
    """Yield the extra fields of an entry; they must fill their place."""
    while extra:
        if len(extra) < _EXTRA.size:
            raise unusable(f"its extra fields are damaged; {_AGAIN}", name)
        number, length = _EXTRA.unpack_from(extra)
        if _EXTRA.size + length > len(extra):
            raise unusable(f"its extra fields are damaged; {_AGAIN}", name)
        yield number, bytes(extra[_EXTRA.size : _EXTRA.size + length])
        extra = extra[_EXTRA.size + length :]


def _unicode_name(content: bytes, raw_name: bytes, shown: str) -> str:
    """Return the name of Info-ZIP's field for names that are not in ASCII."""
    try:
        version, crc = _UNICODE_NAME.unpack_from(content)
        name = content[_UNICODE_NAME.size :].decode()
    except (struct.error, UnicodeDecodeError):
        raise unusable("the name is not UTF-8; rename the file, best in ASCII", shown) from None
    if version != 1 or crc != crc32(raw_name):
        raise unusable(f"it has two names in the archive; {_AGAIN}", shown)
    return name


def _check_kind(entry: Entry, attributes: int) -> None:
    """Refuse what is neither a file nor a folder, whichever system says so."""
    kind = stat.S_IFMT(attributes >> 16)
    if kind == stat.S_IFLNK:
        raise unusable("it is a link; put the file itself into the archive", entry.name)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR} or attributes & _DOS_SPECIAL:
        raise unusable("it is neither a file nor a folder; leave it out", entry.name)
    if (kind == stat.S_IFDIR or attributes & _DOS_FOLDER) and not entry.is_folder:
        raise unusable(f"the archive says that it is a folder and a file; {_AGAIN}", entry.name)
    if entry.is_folder and entry.size:
        raise unusable(f"it is a folder and has content; {_AGAIN}", entry.name)
    if leads_out(entry.name):
        raise unusable(
            "the path leads out of the bundle; pack the folder itself, with paths below it",
            entry.name,
        )


def _contents(files: memoryview, entries: list[Entry]) -> Iterator[tuple[Entry, memoryview]]:
    """Yield each entry with its content; together they must fill the part before the directory."""
    if (entries[0].offset if entries else len(files)) != 0:
        raise unusable(f"something stands before the first file; {_AGAIN}")
    if entries and entries[-1].offset + _LOCAL.size > len(files):
        raise _damaged(entries[-1])
    ends = [*(entry.offset for entry in entries[1:]), len(files)]
    for entry, end in zip(entries, ends, strict=False):
        yield entry, _content(files, entry, end)


def _content(files: memoryview, entry: Entry, end: int) -> memoryview:
    """Return the packed content of an entry, whose own header must say what the directory says."""
    signature, _, flags, method, _, _, *numbers, name_length, extra_length = _LOCAL.unpack_from(
        files, entry.offset
    )
    name_start = entry.offset + _LOCAL.size
    start = entry.content_start(extra_length)
    stop = start + entry.packed_size
    expected = [entry.crc, entry.packed_size, entry.size]
    later = bool(flags & _HAS_DESCRIPTOR)
    if signature != _LOCAL_SIGNATURE or stop > end or name_length != len(entry.raw_name):
        raise _damaged(entry)
    if files[name_start : name_start + name_length] != entry.raw_name:
        raise unusable(f"it has two names in the archive; {_AGAIN}", entry.name)
    if _decode(entry.raw_name, files[start - extra_length : start], flags) != entry.name:
        raise unusable(f"it has two names in the archive; {_AGAIN}", entry.name)
    agree = all(a == b or (later and a == 0) for a, b in zip(numbers, expected, strict=True))
    if (flags, method) != (entry.flags, entry.method) or not agree:
        raise _damaged(entry)
    rest = bytes(files[stop:end])
    if len(rest) == _DESCRIPTOR.size + len(_DESCRIPTOR_SIGNATURE):
        rest = rest.removeprefix(_DESCRIPTOR_SIGNATURE)
    if rest != (_DESCRIPTOR.pack(*expected) if later else b""):
        raise _damaged(entry)
    return files[start:stop]


def _damaged(entry: Entry) -> Finding:
    return unusable(
        f"its place or size in the archive is not what the archive's list says; {_AGAIN}",
        entry.name,
    )
