"""Folders and dropped files become bundles, and bundles archives that are the same everywhere."""

import os
import random
from hashlib import sha256

import pytest
from hypothesis import given, settings, strategies as st

from runners.bundles.bundle import Bundle
from runners.bundles.limits import DEFAULT, BundleLimits
from runners.bundles.pack import from_files, pack, read_folder
from runners.bundles.paths import is_junk, path_problem, problems_of
from runners.bundles.unpack import is_zip, unpack
from runners.upload.finding import Finding
from tests.runners.bundles.archives import BOT

FILES = {"bot.py": BOT, "model.py": b"X = 1\n", "data/w.npy": bytes(range(256)), "größe.txt": b""}
GOLDEN = "09be6db4232637ce94ee641dd77500d13b1fa050ae42042f91bec650f9ccac91"
"""The digest of the archive of these files."""

names = st.text("abXY_-. 019äß漢", min_size=1, max_size=8)
paths = st.lists(names, min_size=1, max_size=4).map("/".join)


@st.composite
def bundles(draw):
    """Any bundle that there may be."""
    files = {"bot.py": draw(st.binary(max_size=50))}
    for path in draw(st.lists(paths, max_size=6)):
        fine = path_problem(path, DEFAULT) is None and not is_junk(path)
        if fine and not list(problems_of([*files, path])):
            files[path] = draw(st.binary(max_size=300))
    return Bundle(files)


def write(bundle, folder, paths=None):
    for path in paths or bundle.files:
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(bundle.files[path])


@settings(max_examples=25, deadline=None)
@given(bundle=bundles(), compress=st.booleans())
def test_what_is_packed_comes_out_as_it_was(bundle, compress, tmp_path_factory):
    archive = pack(bundle, compress=compress)
    assert is_zip(archive)
    again = unpack(archive)
    assert (again, again.digest) == (bundle, bundle.digest)
    assert pack(again, compress=compress) == archive
    folder = tmp_path_factory.mktemp("bundle")
    write(bundle, folder)
    assert read_folder(folder) == bundle
    assert from_files({f"top/{path}": data for path, data in bundle.files.items()}) == bundle


def test_the_archive_depends_on_nothing_but_the_content(tmp_path):
    bundle = Bundle(FILES)
    archive = pack(bundle)
    for seed in range(4):
        folder = tmp_path / str(seed)
        folder.mkdir()
        umask = os.umask([0o022, 0o077, 0o002, 0o000][seed])
        try:
            write(bundle, folder, random.Random(seed).sample(sorted(FILES), len(FILES)))
        finally:
            os.umask(umask)
        (folder / "bot.py").chmod([0o755, 0o400, 0o644, 0o600][seed])
        os.utime(folder / "bot.py", (seed * 1e8, seed * 1e8))
        assert pack(read_folder(folder)) == archive
        assert pack(read_folder(folder), compress=True) == pack(bundle, compress=True)


def test_the_bytes_of_an_archive_never_change():
    """They are compared by people who pack the same folder on two machines."""
    assert sha256(pack(Bundle(FILES))).hexdigest() == GOLDEN
    assert Bundle(FILES).digest == unpack(pack(Bundle(FILES))).digest


def test_a_compressed_archive_is_smaller_and_the_same_bundle():
    bundle = Bundle(FILES | {"zeros.npy": bytes(100_000)})
    assert len(pack(bundle, compress=True)) < 2000 < len(pack(bundle))


def test_junk_is_left_out_of_folders_and_drops(tmp_path):
    junk = {
        "__pycache__/bot.cpython-311.pyc": b"x",
        ".git/config": b"x",
        "data/.DS_Store": b"x",
        "bot.py~": b"x",
    }
    write(Bundle(FILES | junk), tmp_path)
    (tmp_path / ".venv").symlink_to("/usr")
    assert read_folder(tmp_path) == from_files(FILES | junk) == Bundle(FILES)


def test_a_link_is_refused_and_not_followed(tmp_path):
    write(Bundle(FILES), tmp_path)
    (tmp_path / "data" / "more").symlink_to("/usr")
    with pytest.raises(Finding) as raised:
        read_folder(tmp_path)
    assert (raised.value.code, raised.value.file) == ("E109", "data/more")
    assert "is a link" in raised.value.values["reason"]


def test_a_pipe_is_refused_and_not_read(tmp_path):
    write(Bundle(FILES), tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Finding, match="no ordinary file"):
        read_folder(tmp_path)


def test_a_folder_that_cannot_be_read_is_refused_by_name(tmp_path):
    with pytest.raises(Finding) as raised:
        read_folder(tmp_path / "nowhere")
    assert "cannot be read (No such file" in raised.value.values["reason"]


@pytest.mark.parametrize(
    ("files", "limits", "file", "reason"),
    [
        ({"my_bot.py": BOT, "w.npy": b""}, DEFAULT, None, "no `bot.py` is at the top"),
        ({"a/b/bot.py": BOT, "a/x": b""}, DEFAULT, None, "no `bot.py` is at the top"),
        ({}, DEFAULT, None, "no `bot.py` is at the top"),
        (FILES, BundleLimits(files=3), None, "4 files, the limit is 3"),
        (FILES, BundleLimits(depth=1), "data/w.npy", "2 parts, the limit is 1"),
        (FILES, BundleLimits(path_length=9), "data/w.npy", "10 characters, the limit is 9"),
        (
            FILES | {"data/w.npy": bytes(1 << 20)},
            BundleLimits(unpacked_mib=1),
            "data/w.npy",
            "1.1 MB together, the limit is 1 MB",
        ),
        (FILES | {"fast.pyd": b""}, DEFAULT, "fast.pyd", "compiled modules"),
    ],
)
def test_every_limit_names_the_file_for_folders_and_drops(tmp_path, files, limits, file, reason):
    write(Bundle(files), tmp_path)
    for read in (lambda: read_folder(tmp_path, limits), lambda: from_files(files, limits)):
        with pytest.raises(Finding) as raised:
            read()
        assert (raised.value.code, raised.value.file) == ("E109", file)
        assert reason in raised.value.values["reason"]


def test_a_package_with_the_bot_in_its_init_is_a_bundle():
    bundle = from_files({"mine/__init__.py": BOT, "mine/model.py": b""})
    assert bundle.entry == "__init__.py"
