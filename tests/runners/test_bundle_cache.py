"""The bundles of a host: shared, verified, bounded, and whole whatever happens meanwhile."""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from runners.box import leftovers
from runners.bundles import cache
from runners.bundles.bundle import Bundle, ListedFile, Listing
from runners.bundles.cache import open_cache, place, place_bundle
from runners.failures import InfrastructureError
from tests.runners.boxes import ROOT, descriptors
from tests.runners.templates import wait_until

MIB = 1 << 20


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A cache of its own."""
    monkeypatch.setenv("KARAT_STAGE", str(tmp_path))
    cache._open_at.cache_clear()
    return tmp_path / "bundles"


def bundle(number, size=MIB, **more):
    """A bundle with data of its own."""
    files = {"bot.py": f"NUMBER = {number}\n".encode(), "data/own.bin": noise(number, size)}
    return Bundle(files | more)


def noise(number, size):
    return random.Random(number).randbytes(size)


def blobs(home):
    return {path.stat().st_ino for path in (home / "blobs").iterdir()}


def trees(home):
    return sorted(path.name for path in (home / "trees").iterdir())


def used(home):
    """The bytes that the whole cache takes up on the disk, each file once."""
    seen = {path.lstat().st_ino: path.lstat().st_blocks * 512 for path in home.rglob("*")}
    return sum(seen.values())


def contents(placed):
    paths = [path for path in placed.folder.rglob("*") if path.is_file()]
    return {path.relative_to(placed.folder).as_posix(): path.read_bytes() for path in paths}


def never(file):
    raise AssertionError(f"{file.path} was fetched")


def test_a_placed_bundle_is_what_it_was_and_nobody_can_write_there():
    one = bundle(1)
    placed = place_bundle(one)
    assert contents(placed) == one.files
    assert (placed.digest, placed.entry, placed.text) == (one.digest, "bot.py", "NUMBER = 1\n")
    for path in [placed.folder, *placed.folder.rglob("*")]:
        assert path.stat().st_mode & 0o227 == 0, path
        assert path.stat().st_uid == os.geteuid()


@pytest.mark.parametrize(
    ("sizes", "data_bytes"),
    [((), 0), ((0,), 0), ((1,), 4096), ((4096,), 4096), ((4097, 1), 12288)],
)
def test_data_counts_in_whole_pages_and_modules_do_not(sizes, data_bytes):
    files = {f"{n}.bin": bytes(size) for n, size in enumerate(sizes)}
    assert place_bundle(Bundle(files | {"bot.py": b"x" * 9999})).data_bytes == data_bytes


@pytest.mark.parametrize(
    ("files", "numpy"),
    [
        ({"bot.py": b"x = 1"}, False),
        ({"bot.py": b"import numpy as np"}, True),
        ({"bot.py": b"import a", "lib/a.py": b"__import__('numpy')"}, True),
        ({"bot.py": b"x = 1", "w/x.npy": b""}, True),
        ({"bot.py": b"x = 1", "numpy.txt": b"numpy"}, False),
    ],
)
def test_a_bundle_needs_numpy_if_a_module_or_a_file_says_so(files, numpy):
    assert place_bundle(Bundle(files)).numpy is numpy


def test_placing_again_fetches_nothing():
    one = bundle(1)
    first = place_bundle(one)
    assert place(one.listing, "text", never).folder == first.folder


def test_two_versions_share_their_blobs(home):
    first, second = (bundle(n, **{"weights.bin": noise(0, MIB)}) for n in (1, 2))
    fetched = []

    def fetch(file):
        fetched.append(file.path)
        return second.files[file.path]

    one, two = place_bundle(first), place(second.listing, "", fetch)
    assert sorted(fetched) == ["bot.py", "data/own.bin"]
    inodes = {(placed.folder / "weights.bin").stat().st_ino for placed in (one, two)}
    assert len(inodes) == 1
    assert inodes < blobs(home)
    assert len(blobs(home)) == 5


def test_the_same_content_twice_in_a_bundle_is_fetched_once(home):
    fetched = []
    twice = Bundle({"bot.py": b"", "a/x.bin": b"same", "b/x.bin": b"same"})
    place(twice.listing, "", lambda file: fetched.append(file.path) or twice.files[file.path])
    assert len(fetched) == 2 == len(blobs(home))


@pytest.mark.parametrize(
    "damage", [b"", b"shorter", b"another content, as long" * 100], ids=["empty", "short", "other"]
)
def test_a_damaged_blob_is_our_failure_names_the_file_and_leaves_nothing(home, damage):
    one = bundle(1)
    with pytest.raises(InfrastructureError, match=r"data/own\.bin of a bundle is damaged"):
        place(one.listing, "", lambda f: damage if "own" in f.path else one.files[f.path])
    assert trees(home) == [] == list((home / "growing").iterdir())


def test_a_missing_blob_is_our_failure():
    def missing(file):
        raise InfrastructureError(f"{file.path} is not stored")

    with pytest.raises(InfrastructureError, match=r"bot\.py is not stored"):
        place(bundle(1).listing, "", missing)


def test_a_blob_that_was_damaged_in_the_cache_is_fetched_again(home):
    place_bundle(bundle(1, **{"weights.bin": b"weights"}))
    [blob] = [path for path in (home / "blobs").iterdir() if path.read_bytes() == b"weights"]
    blob.chmod(0o600)
    blob.write_bytes(b"damaged")
    second = bundle(2, **{"weights.bin": b"weights"})
    assert contents(place_bundle(second)) == second.files


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", "a//x", "./x", "x\0", "a/"])
def test_a_listing_that_leads_elsewhere_is_refused_and_nothing_is_written(home, path):
    listing = Listing.of([*bundle(1).listing.files, ListedFile(path, 1, "0" * 64)])
    with pytest.raises(InfrastructureError, match="is no path of a bundle"):
        place(listing, "", lambda file: b"x")
    assert trees(home) == []
    assert not list(home.parent.glob("x"))


def test_a_cache_that_somebody_removed_is_made_again(home):
    place_bundle(bundle(1))
    leftovers.remove(home)
    assert contents(place_bundle(bundle(1))) == bundle(1).files


def test_a_bundle_without_a_bot_cannot_be_placed():
    with pytest.raises(InfrastructureError, match=r"without bot\.py"):
        place_bundle(Bundle({"model.py": b""}))


def test_the_bound_holds_and_what_was_used_last_stays(home):
    for number in range(6):
        place_bundle(bundle(number), max_mib=4)
        time.sleep(0.01)
        if number >= 2:
            # Always used.
            place_bundle(bundle(0), max_mib=4)
        assert used(home) <= 4 * MIB + 100_000
    assert len(trees(home)) == 3
    kept = [bundle(number) for number in (0, 4, 5)]
    assert [place(one.listing, "", never).digest for one in kept] == [one.digest for one in kept]


def test_blobs_stay_as_long_as_a_tree_has_them(home):
    shared = {"weights.bin": noise(0, MIB)}
    first, second = (bundle(n, **shared) for n in (1, 2))
    place_bundle(first)
    time.sleep(0.01)
    place_bundle(second)
    place_bundle(bundle(3, 2 * MIB), max_mib=5)
    assert len(trees(home)) == 2
    assert place(second.listing, "", never)
    assert len(blobs(home)) == 5


def test_what_is_in_use_is_never_evicted(home):
    one = place_bundle(bundle(1))
    for number in range(2, 6):
        place_bundle(bundle(number), max_mib=1)
    assert contents(one) == bundle(1).files
    assert len(trees(home)) == 2
    # The folder in use is found again, and free when nobody has it any more.
    del one
    place_bundle(bundle(7), max_mib=1)
    assert len(trees(home)) == 1


def test_folders_of_empty_files_count_as_well(home):
    deep = {f"{n}/{'x/' * 6}{n}": b"" for n in range(100)}
    for number in range(6):
        place_bundle(Bundle({"bot.py": str(number).encode()} | deep), max_mib=8)
    assert len(trees(home)) == 2


def test_an_evicted_bundle_leaves_no_descriptor():
    place_bundle(bundle(1))
    before = descriptors()
    for number in range(2, 6):
        place_bundle(bundle(number), max_mib=1)
    assert descriptors() == before


KILLED = """
import os, sys
from runners.bundles.bundle import Bundle
from runners.bundles import cache, eviction
from tests.runners.test_bundle_cache import bundle

def stop(*arguments, **named):
    print("stopped", flush=True)
    os.read(0, 1)

place, name = sys.argv[1:]
setattr({"cache": cache, "eviction": eviction, "os": os}[place], name, stop)
cache.place_bundle(bundle(9), max_mib=1)
"""


@pytest.mark.parametrize(
    ("place", "name"),
    [
        *(("cache", "_write"), ("cache", "_sync_path"), ("cache", "_seal"), ("cache", "evict")),
        *(("os", "link"), ("eviction", "_remove"), ("eviction", "_clear_blobs")),
    ],
)
def test_a_process_that_is_killed_leaves_whole_bundles_only(home, place, name):
    place_bundle(bundle(1))
    child = subprocess.Popen(
        [sys.executable, "-c", KILLED, place, name],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with child:
        assert child.stdout.readline() == b"stopped\n"
        child.send_signal(signal.SIGKILL)
    for number in (1, 9):
        assert contents(place_bundle(bundle(number))) == bundle(number).files
    # What it left is cleared away by the next one that places a bundle.
    place_bundle(bundle(3))
    assert list((home / "growing").iterdir()) == []
    place_bundle(bundle(4), max_mib=1)
    assert used(home) < 2 * MIB


def churn(seed, rounds):
    """Place bundles that do not fit together, and look at each while it is held."""
    chance = random.Random(seed)
    for _ in range(rounds):
        one = bundle(chance.randrange(6), 300_000, **{"weights.bin": noise(99, 300_000)})
        if contents(place_bundle(one, max_mib=1)) != one.files:
            os._exit(3)


def test_two_processes_under_a_bound_that_is_too_small_always_have_whole_bundles(home):
    place_bundle(bundle(0, 10))
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=churn, args=(seed, 60)) for seed in (1, 2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    place_bundle(bundle(50, 10), max_mib=1)
    assert used(home) <= MIB + 100_000
    assert all(path.stat().st_nlink > 1 for path in (home / "blobs").iterdir())
    assert list((home / "growing").iterdir()) == []


def test_a_cache_of_somebody_else_is_refused(home, monkeypatch):
    home.mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    with pytest.raises(InfrastructureError, match="belongs to somebody else"):
        open_cache()


def test_names_in_the_cache_do_not_follow_from_digests(home):
    one = bundle(1)
    place_bundle(one)
    digests = {one.digest, *(file.digest for file in one.listing.files)}
    names = {path.name.partition("-")[0] for path in home.rglob("*")}
    assert not {digest[: len(name)] for digest in digests for name in names} & names
    key = home / "key"
    assert key.stat().st_mode & 0o777 == 0o400
    assert wait_until(lambda: Path(key).stat().st_size == 32)
