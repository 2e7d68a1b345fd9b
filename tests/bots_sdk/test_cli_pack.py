"""`karat pack`: what goes in, what is shown, where it is written, and what it refuses."""

import json
import os
import zipfile
from hashlib import sha256

import pytest

from runners.bundles.limits import DEFAULT
from runners.bundles.pack import read_folder
from runners.bundles.unpack import unpack
from tests.bots_sdk.test_cli import karat
from tests.runners.bundles.local_bundles import FIRST, write

FILES = {"bot.py": FIRST, "parts/deep/a.py": "A = 1\n", "parts/b.py": "", "data.bin": bytes(3000)}
JUNK = {".git/HEAD": "x", "__pycache__/bot.pyc": "x", "parts/b.py~": "x", ".DS_Store": "x"}


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "my_bot", FILES | JUNK)


def test_a_folder_becomes_a_zip_beside_it_and_the_content_is_shown(folder):
    packed = karat("pack", "my_bot", cwd=folder.parent)
    assert packed.returncode == 0, packed.stderr
    digest = read_folder(folder).digest
    size = (folder.parent / "my_bot.zip").stat().st_size
    assert packed.stdout == (
        f"my_bot.zip: 4 files, {size / 1024:.1f} KB\n"
        "  bot.py     106 B\n"
        "  data.bin  2.9 KB\n"
        "  parts/\n"
        "    b.py       0 B\n"
        "    deep/\n"
        "      a.py     6 B\n"
        "Left out: .DS_Store, .git/, __pycache__/, parts/b.py~\n"
        f"Digest: {digest}\n"
        "Next:  karat check my_bot.zip\n"
    )
    assert unpack((folder.parent / "my_bot.zip").read_bytes()).digest == digest


def test_the_same_files_are_the_same_bytes_and_compressed_the_same_digest(folder):
    def pack(*arguments):
        packed = karat("pack", folder, "--json", *arguments, cwd=folder.parent)
        assert packed.returncode == 0, packed.stderr
        summary = json.loads(packed.stdout)
        return summary, (folder.parent / summary["file"]).read_bytes()

    one, data = pack()
    for path in folder.rglob("*"):
        os.utime(path, (1, 1))
    two, other_data = pack("--output", "other.zip")
    small, small_data = pack("--output", "small.zip", "--compress")
    assert data == other_data
    assert one["digest"] == two["digest"] == small["digest"]
    assert len(small_data) == small["size"] < len(data) == one["size"]
    assert one["unpacked_size"] == sum(len(content) for content in FILES.values())
    assert one["left_out"] == [".DS_Store", ".git/", "__pycache__/", "parts/b.py~"]
    assert {file["path"]: file["digest"] for file in one["files"]} == {
        path: sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()
        for path, text in FILES.items()
    }


def test_inside_the_folder_it_packs_it_and_writes_beside_it(folder):
    assert karat("pack", ".", cwd=folder).returncode == 0
    assert zipfile.is_zipfile(folder.parent / "my_bot.zip")
    assert not list(folder.glob("*.zip"))


def test_a_zip_that_is_there_is_replaced_as_a_whole(folder):
    path = folder.parent / "my_bot.zip"
    path.write_bytes(b"old")
    before = path.open("rb")
    assert karat("pack", "my_bot", cwd=folder.parent).returncode == 0
    with before:
        assert before.read() == b"old"
    assert zipfile.is_zipfile(path)
    assert {entry.name for entry in folder.parent.iterdir()} == {"my_bot", "my_bot.zip"}


@pytest.mark.parametrize(
    ("arguments", "files", "sentence"),
    [
        ("my_bot/bot.py", {}, "my_bot/bot.py is not a folder; name the one that has bot.py in it."),
        ("nowhere", {}, "nowhere is not a folder; name the one that has bot.py in it."),
        ("my_bot --output my_bot/x.zip", {}, "would be packed next time; choose another place."),
        ("my_bot --output x.tar", {}, "x.tar is not the name of an archive; end it with .zip."),
        ("my_bot --output no/x.zip", {}, "no/x.zip cannot be written: No such file or directory."),
        ("my_bot", {"fast.so": ""}, "`my_bot/fast.so`: compiled modules cannot be loaded in a box"),
        ("my_bot", {"BOT.py": ""}, "on some systems `BOT.py` is the same name; rename one"),
        ("my_bot", {f"{n}.txt": "" for n in range(DEFAULT.files)}, "the limit is 500; leave out"),
        ("my_bot/parts", {}, "no `bot.py` is at the top of the bundle"),
        ("my_bot", {"w.npy": bytes(21 << 20)}, "the archive has 21.1 MB, the limit is 20 MB"),
    ],
)
def test_what_cannot_be_packed_is_refused_in_plain_words(folder, arguments, files, sentence):
    write(folder, files)
    packed = karat("pack", *arguments.split(), cwd=folder.parent)
    assert (packed.returncode, packed.stdout) == (2, "")
    assert sentence in packed.stderr
    assert not list(folder.parent.glob("**/*.zip"))
