"""Archives as people's programs make them: Python, Info-ZIP, file managers, other languages."""

import io
import shutil
import stat
import struct
import subprocess
import zipfile
from pathlib import Path

import pytest

from runners.bundles.bundle import Bundle
from runners.bundles.unpack import unpack
from tests.runners.bundles.archives import archive, field, member, unicode_name, with_descriptor
from tests.runners.bundles.test_pack import FILES, write

BUNDLE = Bundle(FILES)
FOLDER = (stat.S_IFDIR | 0o755) << 16 | 0x10


@pytest.fixture
def folder(tmp_path):
    """A folder that holds the bundle in one of its own, with junk."""
    write(BUNDLE, tmp_path / "my_bot")
    write(Bundle({".DS_Store": b"x", "__pycache__/a.pyc": b"x"}), tmp_path / "my_bot")
    return tmp_path


@pytest.mark.parametrize("base", ["my_bot", "."])
def test_python_packs_a_folder(folder, base):
    if base == "my_bot":
        path = shutil.make_archive(folder / "out", "zip", folder, base)
    else:
        path = shutil.make_archive(folder / "out", "zip", folder / "my_bot")
    assert unpack(Path(path).read_bytes()) == BUNDLE


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("seekable", [True, False])
def test_python_writes_a_zip(method, seekable):
    buffer = io.BytesIO()
    target = buffer if seekable else Stream(buffer)
    with zipfile.ZipFile(target, "w", method) as writer:
        writer.comment = b"a comment"
        for path, data in FILES.items():
            writer.writestr(path, data)
    assert unpack(buffer.getvalue()) == BUNDLE


class Stream(io.RawIOBase):
    """A file that cannot be rewound, such as a pipe."""

    def __init__(self, target):
        self.target = target

    def write(self, data):
        return self.target.write(data)

    def flush(self):
        pass


INFO_ZIP = {
    "a folder": ("-r", "out.zip", "my_bot"),
    "stored": ("-0r", "out.zip", "my_bot"),
    "best": ("-9r", "out.zip", "my_bot"),
    "without extra fields": ("-Xr", "out.zip", "my_bot"),
    "without folders": ("-rD", "out.zip", "my_bot"),
    "a stream": ("-r", "-", "my_bot"),
}


@pytest.mark.skipif(shutil.which("zip") is None, reason="zip is not installed")
@pytest.mark.parametrize("name", INFO_ZIP)
def test_info_zip_packs_a_folder(folder, name):
    options = INFO_ZIP[name]
    done = subprocess.run(
        ["zip", "-q", *options],
        cwd=folder,
        capture_output=True,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    data = done.stdout if "-" in options else (folder / "out.zip").read_bytes()
    assert unpack(data) == BUNDLE


@pytest.mark.skipif(shutil.which("zip") is None, reason="zip is not installed")
def test_an_archive_that_was_changed_afterwards_is_read(folder):
    for options in (["-r", "out.zip", "my_bot"], ["out.zip", "-d", "my_bot/model.py"]):
        subprocess.run(["zip", "-q", *options], cwd=folder, check=True)
    without = {path: data for path, data in FILES.items() if path != "model.py"}
    assert unpack((folder / "out.zip").read_bytes()).files == without


def flavour(change, *, folders=(), more=()):
    """The bundle in one top folder, each entry as some program writes it."""
    files = [change(f"my/{path}".encode(), data) for path, data in FILES.items()]
    made = [member(name, b"", method=0, attributes=FOLDER) for name in folders]
    return archive(*made, *files, *more)


def macos(raw, data):
    """Sizes behind the content, UTF-8 without saying so, times and owner in extra fields."""
    central, local = field(0x5855, bytes(8)), field(0x5855, bytes(12))
    plain = member(raw, data, flags=0, system=3, extra=central, local_extra=local)
    return with_descriptor(plain)


def windows(raw, data):
    """Attributes of DOS, times of NTFS in the list only."""
    times = field(0x000A, bytes(4) + struct.pack("<2H", 1, 24) + bytes(24))
    return member(raw, data, system=0, attributes=0x20, extra=times, local_extra=b"")


def old_info_zip(raw, data):
    """Names in the code page of DOS, and their UTF-8 in a field."""
    page = raw.decode().encode("cp437")
    extra = unicode_name(page, raw.decode()) if page != raw else b""
    return member(page, data, flags=0, extra=extra)


def unsigned_stream(raw, data):
    """A data descriptor without its signature, which is optional."""
    return with_descriptor(member(raw, data), signed=False)


def eager_stream(raw, data):
    """Stored, its sizes before the content and again behind it, and the hints for deflate."""
    one = with_descriptor(member(raw, data, method=0, flags=0x806))
    return type(one)(**{**one.__dict__, "local_sizes": one.numbers, "comment": b"a comment"})


FLAVOURS = {
    "macOS": flavour(
        macos,
        folders=["my/"],
        more=[
            member("__MACOSX/my/._bot.py", b"x"),
            member("my/Icon\r", b""),
            member("my/.DS_Store"),
        ],
    ),
    "Windows": flavour(windows),
    "old Info-ZIP": flavour(old_info_zip, folders=["my/", "my/data/"]),
    "a stream without signatures": flavour(unsigned_stream),
    "a stream of stored files": flavour(eager_stream),
}


@pytest.mark.parametrize("name", FLAVOURS)
def test_a_flavour_of_zip_is_read(name):
    assert unpack(FLAVOURS[name]) == BUNDLE


@pytest.mark.parametrize("name", FLAVOURS)
def test_the_flavours_are_zips_to_others_too(name):
    with zipfile.ZipFile(io.BytesIO(FLAVOURS[name])) as reader:
        assert reader.testzip() is None
