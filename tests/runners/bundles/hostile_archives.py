"""Archives that were made to harm or to confuse: each with the entry and the reason of its refusal.

An archive that takes long to make is made when its test asks for it.
"""

import stat
import struct

from tests.runners.bundles.archives import archive, deflate, field, member, unicode_name

MIB = 1 << 20
GOOD = member()


def second(name="b.npy", content=b"abc", **fields):
    """An archive with a bot and another entry."""
    return archive(GOOD, member(name, content, **fields))


def of_mode(mode, **fields):
    return second(attributes=mode << 16, **fields)


def many_files(count, **end):
    return archive(GOOD, *(member(f"{n}.npy", b"", method=0) for n in range(count)), **end)


def two_names():
    """Two names for one content, as bombs have thousands."""
    first, other = member("a.npy", bytes(1000)), member("b.npy", bytes(1000))
    data = archive(first, other)
    at = len(first.local())
    return data.replace(other.directory_entry(at), other.directory_entry(0))


def overrun(inner):
    """A member whose content continues in the header of the next one."""
    return archive(GOOD, member("a.npy", b"x" * 40, method=0, packed_size=400, size=400), inner)


TWO_ENDS = archive(GOOD) + archive(member("other.py"))
INNER_END = archive(GOOD, comment=archive(member("other.py"))[-22:])

HOSTILE = {
    # Bombs.
    "a bomb that says its size": (lambda: second(content=bytes(70 * MIB)), "b.npy", "70.0 MB"),
    "a bomb that lies about its size": (
        lambda: second(content=bytes(70 * MIB), size=100, crc=0),
        "b.npy",
        "not as large as the archive says",
    ),
    "many bombs that are too large together": (
        lambda: archive(GOOD, *(member(f"{n}.npy", bytes(20 * MIB)) for n in range(4))),
        "0.npy",
        "80.1 MB together, the limit is 64 MB",
    ),
    "501 files": (
        archive(GOOD, *(member(f"{n}.npy") for n in range(500))),
        None,
        "501 files, the limit is 500",
    ),
    "60,000 empty files": (
        lambda: many_files(60_000),
        None,
        "more than 10,000 entries",
    ),
    "100,000 empty files": (
        lambda: many_files(100_000, here=0xFFFF, total=0xFFFF),
        None,
        "65,000 entries",
    ),
    "100,000 empty files that are counted modulo 65,536": (
        lambda: many_files(100_000, here=100_001 - 65_536, total=100_001 - 65_536),
        None,
        "more than 10,000 entries",
    ),
    "20,000 folders": (
        lambda: archive(GOOD, *(member(f"{n}/", b"", method=0) for n in range(20_000))),
        None,
        "more than 10,000 entries",
    ),
    # Paths.
    "a path from the root": (second("/etc/passwd"), "/etc/passwd", "leads out"),
    "a path upwards": (second("../b.npy"), "../b.npy", "leads out"),
    "a path down and upwards": (second("a/../../b.npy"), "a/../../b.npy", "leads out"),
    "a path upwards through what is left out": (
        second("__MACOSX/../../b.npy"),
        "__MACOSX/../../b.npy",
        "leads out",
    ),
    "a folder upwards": (second("../", b"", method=0), "../", "leads out"),
    "a path out of the only folder": (
        archive(member("x/bot.py"), member("x/../../b.npy")),
        "x/../../b.npy",
        "leads out",
    ),
    "backslashes upwards": (second("..\\b.npy"), "..\\b.npy", "leads out"),
    "backslashes": (second("a\\b.npy"), "a\\b.npy", "separated by backslashes"),
    "a drive": (second("C:/b.npy"), "C:/b.npy", "leads out"),
    "a drive without a slash": (second("C:b.npy"), "C:b.npy", "leads out"),
    "a stream of a file": (second("bot.py:b"), "bot.py:b", "cannot have :"),
    "a network path": (second("//host/b.npy"), "//host/b.npy", "leads out"),
    "an empty part": (second("a//b.npy"), "a//b.npy", "empty part"),
    "a dot": (second("a/./b.npy"), "a/./b.npy", "empty part"),
    "a name of spaces": (second("a/ /b.npy"), "a/ /b.npy", "ends with a space"),
    "a name with a dot at its end": (second("bot.py."), "bot.py.", "ends with a dot"),
    "no name": (second(""), "", "not UTF-8"),
    "a control character": (second("a\n.npy"), "a\\n.npy", "cannot be seen"),
    "an escape of terminals": (second("a\x1b[2J.npy"), "a\\x1b[2J.npy", "cannot be seen"),
    "a zero": (second("bot.py\0.pyc"), "bot.py\\x00.pyc", "cannot be seen"),
    "a name that turns its direction": (
        second("a\u202eyp.npy"),
        "a\\u202eyp.npy",
        "cannot be seen",
    ),
    "a name that is not UTF-8": (second(b"gr\xf6.npy", flags=0), "grö.npy", "not UTF-8"),
    "a name that says UTF-8 and is not": (second(b"gr\xf6.npy"), "grö.npy", "not UTF-8"),
    "a name with half a character": (second(b"\xed\xa0\x80.npy"), "í\\xa0\\x80.npy", "not UTF-8"),
    "a decomposed name": (second("gro\u0308.npy"), "gro\u0308.npy", "NFC"),
    "a path that is too long": (
        second("a/" * 5 + "b" * 191),
        "a/" * 5 + "b" * 190 + "…",
        "201 characters",
    ),
    "a name that is too long": (second("ö" * 130), "ö" * 130, "255 bytes"),
    "a path that is too deep": (second("a/" * 8 + "b.npy"), "a/" * 8 + "b.npy", "9 parts"),
    "an extension module": (second("fast.so"), "fast.so", "compiled modules"),
    "an extension module of a version": (
        second("fast.cpython-311-x86_64-linux-gnu.so"),
        "fast.cpython-311-x86_64-linux-gnu.so",
        "compiled modules",
    ),
    "a library of another system": (second("a/FAST.DLL"), "a/FAST.DLL", "compiled modules"),
    # Names that are one.
    "a name twice": (archive(GOOD, GOOD), "bot.py", "there twice"),
    "a name in two cases": (archive(GOOD, member("Bot.py")), "Bot.py", "same name"),
    "a name in two cases that are longer": (
        archive(GOOD, member("straße.npy"), member("STRASSE.npy")),
        "STRASSE.npy",
        "same name",
    ),
    "a folder in two cases": (
        archive(GOOD, member("w/a.npy"), member("W/b.npy")),
        "W/b.npy",
        "its folder is the same as `w`",
    ),
    "a file in a file": (
        archive(GOOD, member("a"), member("a/b.npy")),
        "a/b.npy",
        "a folder here and also a file",
    ),
    "a file that is a folder": (
        archive(GOOD, member("a/b.npy"), member("A")),
        "A",
        "a file and a folder",
    ),
    "a folder that is a file": (
        archive(GOOD, member("a"), member("a/", b"", method=0)),
        "a/",
        "a file and a folder",
    ),
    # What is no file.
    "a link": (of_mode(stat.S_IFLNK | 0o777, content=b"/etc/passwd"), "b.npy", "is a link"),
    "a link of another system": (of_mode(stat.S_IFLNK, system=0), "b.npy", "is a link"),
    "a link of macOS": (of_mode(stat.S_IFLNK, system=19), "b.npy", "is a link"),
    "a link of Windows": (second(attributes=0x400), "b.npy", "neither a file"),
    "a device": (of_mode(stat.S_IFCHR), "b.npy", "neither a file"),
    "a disk": (of_mode(stat.S_IFBLK, system=7), "b.npy", "neither a file"),
    "a pipe": (of_mode(stat.S_IFIFO), "b.npy", "neither a file"),
    "a socket": (of_mode(stat.S_IFSOCK), "b.npy", "neither a file"),
    "a label": (second(attributes=0x08), "b.npy", "neither a file"),
    "a folder with a file's name": (of_mode(stat.S_IFDIR), "b.npy", "a folder and a file"),
    "a folder of DOS with a file's name": (second(attributes=0x10), "b.npy", "a folder and a file"),
    "a folder with content": (second("a/", b"abc"), "a/", "has content"),
    "a folder with hidden content": (
        second("a/", b"", packed=deflate(b"") + b"hidden"),
        "a/",
        "damaged",
    ),
    # Ways of packing.
    "encrypted": (second(flags=1), "b.npy", "encrypted"),
    "strongly encrypted": (second(flags=0x41), "b.npy", "encrypted"),
    "a hidden directory": (second(flags=0x2000), "b.npy", "compressed in a way"),
    "a patch": (second(flags=0x20), "b.npy", "compressed in a way"),
    "AES": (second(method=99), "b.npy", "compressed in a way"),
    "bzip2": (second(method=12), "b.npy", "compressed in a way"),
    "Deflate64": (second(method=9), "b.npy", "compressed in a way"),
    # Sizes, checksums and places.
    "a larger size": (second(size=4), "b.npy", "not as large"),
    "a smaller size": (second(size=2), "b.npy", "not as large"),
    "a larger packed size": (
        archive(member("b.npy", b"abc", packed_size=6), GOOD),
        "b.npy",
        "place or size",
    ),
    "a smaller packed size": (
        archive(member("b.npy", b"abc", packed_size=4), GOOD),
        "b.npy",
        "place or size",
    ),
    "two sizes of what is stored": (second(method=0, size=2), "b.npy", "two sizes"),
    "a wrong checksum": (second(crc=1), "b.npy", "damaged"),
    "a wrong checksum of what is stored": (second(method=0, crc=1), "b.npy", "damaged"),
    "no stream": (second(packed=b"\xff" * 8), "b.npy", "damaged"),
    "a stream without an end": (second(packed=deflate(b"abc")[:-1]), "b.npy", "damaged"),
    "bytes behind a stream": (second(packed=deflate(b"abc") + b"hidden"), "b.npy", "damaged"),
    "other sizes in the entry's own header": (second(local_sizes=(1, 2, 3)), "b.npy", "place or"),
    "no sizes in the entry's own header": (second(local_sizes=(0, 0, 0)), "b.npy", "place or"),
    "another method in the entry's own header": (second(local_method=0), "b.npy", "place or"),
    "other flags in the entry's own header": (second(local_flags=2), "b.npy", "place or"),
    "another name in the entry's own header": (second(local_name=b"c.npy"), "b.npy", "two names"),
    "a longer name in the entry's own header": (
        second(local_name=b"bbb.npy"),
        "b.npy",
        "place or size",
    ),
    "another Unicode name": (
        second(extra=unicode_name(b"b.npy", "c.npy")),
        "b.npy",
        "two names",
    ),
    "another Unicode name in the entry's own header": (
        second(local_extra=unicode_name(b"b.npy", "c.npy")),
        "b.npy",
        "two names",
    ),
    "a Unicode name of another entry": (
        second(b"\xf6.npy", flags=0, extra=unicode_name(b"x.npy", "c.npy")),
        "ö.npy",
        "two names",
    ),
    "a Unicode name that is none": (
        second(extra=field(0x7075, b"\1")),
        "b.npy",
        "not UTF-8",
    ),
    "half an extra field": (second(extra=b"\1"), "b.npy", "extra fields"),
    "an extra field that is too long": (
        second(extra=struct.pack("<2H", 0x5455, 9)),
        "b.npy",
        "extra fields",
    ),
    "a descriptor that says something else": (
        second(
            flags=8,
            local_sizes=(0, 0, 0),
            descriptor=struct.pack("<4s3I", b"PK\7\x08", 1, 2, 3),
        ),
        "b.npy",
        "place or size",
    ),
    "no descriptor": (second(flags=8, local_sizes=(0, 0, 0)), "b.npy", "place or size"),
    "a descriptor that nobody announced": (
        second(descriptor=struct.pack("<3I", *member("b.npy", b"abc").numbers)),
        "b.npy",
        "place or size",
    ),
    "the Zip64 form": (second(size=0xFFFFFFFF), "b.npy", "Zip64"),
    "a Zip64 field that says something else": (
        second(extra=field(1, struct.pack("<2Q", 9, 9))),
        "b.npy",
        "Zip64",
    ),
    "a Zip64 field in the entry's own header": (
        second(local_extra=field(1, struct.pack("<2Q", 9, 9))),
        "b.npy",
        "Zip64",
    ),
    "another disk": (second(disk=1), "b.npy", "split"),
    "two entries with one content": (two_names(), "a.npy", "place or size"),
    "a content over the next entry": (overrun(member("c.npy")), "a.npy", "place or size"),
    "an offset beyond the end": (second(offset=1 << 30), "b.npy", "place or size"),
    "bytes between the entries": (
        archive(GOOD, member("b.npy", b"abc", descriptor=b"hidden"), member("c.npy")),
        "b.npy",
        "place or size",
    ),
    # The archive as a whole.
    "bytes before the archive": (b"PK\3\4" + archive(GOOD), None, "list of files is not where"),
    "bytes before the first file": (
        archive(GOOD, prefix=b"PK\3\4 hidden"),
        None,
        "before the first file",
    ),
    "bytes before the list": (archive(GOOD, between=b"hidden"), "bot.py", "place or size"),
    "bytes behind the end": (archive(GOOD, suffix=b"hidden"), None, "behind the end"),
    "two archives": (TWO_ENDS, None, "list of files is not where"),
    "an end record in the comment": (INNER_END, None, "list of files is not where"),
    "half an archive": (archive(GOOD)[:-30], None, "its end is missing"),
    "half an end record": (archive(GOOD)[:-1], None, "its end is missing"),
    "nothing but a beginning": (b"PK\3\4rest", None, "its end is missing"),
    "an entry more than is counted": (archive(GOOD, here=0, total=0), None, "lists 1"),
    "an entry less than is counted": (archive(GOOD, here=2, total=2), None, "lists 1"),
    "two counts": (archive(GOOD, here=2), None, "split"),
    "another disk at the end": (archive(GOOD, disk=1), None, "split"),
    "a list that is elsewhere": (archive(GOOD, offset=0), None, "list of files is not where"),
    "a shorter list": (archive(GOOD, size=10), None, "list of files is not where"),
    "a list of something else": (
        archive(GOOD).replace(b"PK\1\2", b"PK\1\3"),
        None,
        "list of files is damaged",
    ),
    "Zip64 at the end": (archive(GOOD, offset=0xFFFFFFFF), None, "Zip64"),
    "an empty archive": (archive(), None, "no `bot.py`"),
    "a bot elsewhere": (archive(member("a/b/bot.py"), member("a/c.py")), None, "no `bot.py`"),
    "nothing but junk": (archive(member(".git/bot.py"), member("bot.pyc")), None, "no `bot.py`"),
}
