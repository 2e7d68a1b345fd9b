"""Zips written by hand, so that every field can be wrong."""

import stat
import struct
import zlib
from dataclasses import dataclass, replace

BOT = b"""from bots_sdk import Bot


class Mine(Bot):
    def decide(self, view, options):
        return options[0]
"""
FILE = stat.S_IFREG | 0o644


@dataclass(frozen=True)
class Member:
    """An entry of a zip. What is None is as it should be."""

    name: bytes
    content: bytes = b""
    method: int = 8
    flags: int = 0
    attributes: int = FILE << 16
    system: int = 3
    extra: bytes = b""
    local_name: bytes | None = None
    local_extra: bytes | None = None
    local_sizes: tuple[int, int, int] | None = None
    local_flags: int | None = None
    local_method: int | None = None
    crc: int | None = None
    size: int | None = None
    packed: bytes | None = None
    packed_size: int | None = None
    descriptor: bytes = b""
    comment: bytes = b""
    offset: int | None = None
    disk: int = 0

    @property
    def packed_content(self):
        """What lies in the archive."""
        if self.packed is not None:
            return self.packed
        return deflate(self.content) if self.method == 8 else self.content

    @property
    def numbers(self):
        """Checksum, packed size and size, as the archive's list has them."""
        return (
            zlib.crc32(self.content) if self.crc is None else self.crc,
            len(self.packed_content) if self.packed_size is None else self.packed_size,
            len(self.content) if self.size is None else self.size,
        )

    def local(self):
        """The header, the content and what follows it."""
        name = self.name if self.local_name is None else self.local_name
        extra = self.extra if self.local_extra is None else self.local_extra
        flags = self.flags if self.local_flags is None else self.local_flags
        method = self.method if self.local_method is None else self.local_method
        numbers = self.numbers if self.local_sizes is None else self.local_sizes
        head = struct.pack(
            "<4s5H3I2H", b"PK\3\4", 20, flags, method, 0, 33, *numbers, len(name), len(extra)
        )
        return head + name + extra + self.packed_content + self.descriptor

    def directory_entry(self, offset):
        """The entry in the list at the end."""
        lengths = (len(self.name), len(self.extra), len(self.comment))
        head = struct.pack(
            "<4sBB5H3I5H2I",
            *(b"PK\1\2", 20, self.system, 20, self.flags, self.method, 0, 33),
            *self.numbers,
            *lengths,
            *(self.disk, 0, self.attributes),
            offset if self.offset is None else self.offset,
        )
        return head + self.name + self.extra + self.comment


def deflate(content):
    """The content as zips have it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


def member(name="bot.py", content=BOT, **fields):
    """A member; its name is a text or bytes."""
    raw = name.encode() if isinstance(name, str) else name
    flags = 0 if raw.isascii() else 0x800
    return Member(raw, content, **({"flags": flags} | fields))


def with_descriptor(one, *, signed=True):
    """The member with its checksum and sizes after its content, as streams have them."""
    descriptor = (b"PK\7\x08" if signed else b"") + struct.pack("<3I", *one.numbers)
    return replace(one, flags=one.flags | 8, local_sizes=(0, 0, 0), descriptor=descriptor)


def field(number, content):
    """An extra field."""
    return struct.pack("<2H", number, len(content)) + content


def unicode_name(raw, name):
    """The extra field for a name that is not in ASCII."""
    return field(0x7075, struct.pack("<BI", 1, zlib.crc32(raw)) + name.encode())


def archive(*members, prefix=b"", between=b"", comment=b"", suffix=b"", **end):
    """A zip of these members; the fields of its end record can be given."""
    locals_, entries = [prefix], []
    offset = len(prefix)
    for one in members:
        locals_.append(one.local())
        entries.append(one.directory_entry(offset))
        offset += len(locals_[-1])
    data, directory = b"".join(locals_) + between, b"".join(entries)
    fields = {
        "disk": 0,
        "first_disk": 0,
        "here": len(members),
        "total": len(members),
        "size": len(directory),
        "offset": len(data),
        "comment": len(comment),
    }
    record = struct.pack("<4s4H2IH", b"PK\5\6", *(fields | end).values())
    return data + directory + record + comment + suffix
