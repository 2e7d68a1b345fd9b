"""Which bundles leave the cache of a host when it is full: those that were used least recently.

Never one that somebody holds. If all that is over the bound is in use, the cache stays larger.
"""

import os
from pathlib import Path, PurePosixPath

from runners.box.kernel import unix
from runners.bundles.bundle import Listing

PAGE = 4096
_BLOCK = 512
"""The unit in which the kernel says what a file takes up."""


def folder_pages(listing: Listing) -> int:
    """Return how many pages the folders of a bundle take up; files may be empty, folders never."""
    folders = {parent for file in listing.files for parent in PurePosixPath(file.path).parents}
    return len(folders)


def evict(home: Path, max_bytes: int, *, spare: Path) -> None:
    """Remove trees until the cache fits its bound, and then all blobs of no tree. Lock it first."""
    trees = [(path.stat().st_mtime_ns, path) for path in (home / "trees").iterdir()]
    used = _clear_blobs(home) + sum(_own_bytes(path) for _, path in trees)
    freed = 0
    for _, tree in sorted(trees):
        if used - freed <= max_bytes:
            break
        if tree != spare:
            freed += _remove_unless_held(tree, home / "growing")
    if freed:
        _clear_blobs(home)


def _clear_blobs(home: Path) -> int:
    """Remove the blobs of no tree, and return how many bytes the others take up."""
    kept = 0
    with os.scandir(home / "blobs") as entries:
        for entry in entries:
            status = os.stat(entry.path)
            if status.st_nlink == 1:
                os.unlink(entry.path)
            else:
                kept += status.st_blocks * _BLOCK
    return kept


def _own_bytes(tree: Path) -> int:
    return int(tree.name.rpartition("-")[2]) * PAGE


def _remove_unless_held(tree: Path, growing: Path) -> int:
    """Remove a tree, and return how many bytes that frees once its lonely blobs are gone."""
    fd = os.open(tree, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        unix.fcntl.flock(fd, unix.fcntl.LOCK_EX | unix.fcntl.LOCK_NB)
        own_bytes = _own_bytes(tree)
        # Another name first: what is left of an interrupted removal must not pass for a tree. Only
        # who may write to a folder may move it; boxes can still read one that never was moved.
        tree.chmod(tree.stat().st_mode & 0o777 | 0o200)
        return own_bytes + _remove(tree.rename(growing / tree.name))
    except BlockingIOError:
        return 0
    finally:
        os.close(fd)


def _remove(tree: Path) -> int:
    freed = 0
    for folder, _, _ in os.walk(tree):
        os.chmod(folder, 0o700)
    for folder, _, names in os.walk(tree, topdown=False):
        for name in names:
            path = Path(folder, name)
            status = path.lstat()
            path.unlink()
            # Now only the blob itself is left of it.
            freed += status.st_blocks * _BLOCK if status.st_nlink == 2 else 0
        os.rmdir(folder)
    return freed
