"""The bundles of this host, unpacked for boxes: fetched once, verified, shared, and bounded.

A bundle is a *tree*: a folder whose files are hard links to *blobs*, which all trees share. What is
placed is verified by digest. A tree is trusted from then on: it appears by one rename, is owned by
this user, read-only, and shown to boxes through read-only mounts or behind Landlock.

The names of trees and blobs are keyed by a secret of the cache. Where boxes have no mounts of their
own (Landlock) a bot can ask whether a path exists, but no digest tells it a path.
"""

import errno
import hmac
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path, PurePosixPath
from weakref import finalize

from runners.box.kernel import unix
from runners.box.leftovers import remove
from runners.box.stage import make_reachable, stage_home
from runners.box.walls import drop_to
from runners.bundles.bundle import PYTHON, Bundle, ListedFile, Listing
from runners.bundles.eviction import evict, folder_pages
from runners.bundles.unpacked import UnpackedBundle
from runners.failures import InfrastructureError

DEFAULT_MAX_MIB = 2048
PAGE = 4096
HOME = "bundles"
_PARTS = ("blobs", "trees", "growing")
_MAX_ATTEMPTS = 5

Fetch = Callable[[ListedFile], bytes]


@dataclass(frozen=True, slots=True)
class Cache:
    """Where the parts of the cache lie, and the key of all names in it."""

    home: Path
    key: bytes

    @property
    def trees(self) -> Path:
        """Return the folder of the trees: boxes see what is in it, one of them each."""
        return self.home / "trees"

    def blob(self, digest: str) -> Path:
        """Return where the content with this digest lies."""
        return self.home / "blobs" / self._name(digest)

    def tree(self, listing: Listing) -> Path:
        """Return where a bundle lies. The name also says what its folders take up."""
        return self.trees / f"{self._name(listing.digest)}-{folder_pages(listing)}"

    def _name(self, digest: str) -> str:
        return hmac.new(self.key, digest.encode(), sha256).hexdigest()[:32]


def place(
    listing: Listing,
    entry_text: str,
    fetch: Fetch,
    max_mib: int = DEFAULT_MAX_MIB,
) -> UnpackedBundle:
    """Return a bundle in the cache of this host; what the cache lacks is fetched and verified.

    As long as the returned value lives, nobody evicts its files. Of what nobody uses, the cache
    keeps what was used last and fits into `max_mib`.
    """
    entry = listing.entry
    if entry is None:
        raise InfrastructureError("a bundle without bot.py cannot be played")
    try:
        for _ in range(_MAX_ATTEMPTS):
            tree = open_cache().tree(listing)
            held_fd = _hold(tree)
            if held_fd is not None:
                break
            # The whole cache may be gone.
            _open_at.cache_clear()
            _grow(open_cache(), listing, fetch, max_mib)
        else:
            raise InfrastructureError("a bundle was evicted again and again while it was placed")
    except OSError as error:
        raise InfrastructureError(f"the cache of bundles cannot be used: {error}") from error
    try:
        numpy = _needs_numpy(tree)
    except OSError as error:
        os.close(held_fd)
        raise InfrastructureError(f"the cache of bundles cannot be used: {error}") from error
    bundle = UnpackedBundle(listing.digest, tree, entry, entry_text, _data_bytes(listing), numpy)
    finalize(bundle, os.close, held_fd)
    return bundle


def place_bundle(bundle: Bundle, max_mib: int = DEFAULT_MAX_MIB) -> UnpackedBundle:
    """Return a bundle that is in memory in the cache of this host."""
    text = bundle.files[bundle.entry].decode("utf-8-sig", "replace") if bundle.entry else ""
    return place(bundle.listing, text, lambda file: bundle.files[file.path], max_mib)


def open_cache() -> Cache:
    """Return the cache of this host, made if it is not there yet."""
    return _open_at(stage_home() / HOME)


@cache
def _open_at(home: Path) -> Cache:
    if not all((home / name).is_dir() for name in (*_PARTS, "trees")):
        make_reachable(home.parent)
    home.mkdir(exist_ok=True)
    with _lock(home):
        for name in _PARTS:
            (home / name).mkdir(mode=0o700, exist_ok=True)
        _let_boxes_in(home)
        _let_boxes_in(home / "trees")
        return Cache(home, _key(home))


def _let_boxes_in(folder: Path) -> None:
    """Let the user of boxes pass through this folder without listing it, and nobody else."""
    status = folder.stat()
    if status.st_uid != os.geteuid():
        raise InfrastructureError(f"{folder} belongs to somebody else; remove it")
    user = drop_to()
    mode = 0o700 if user is None else 0o710
    if user is not None and status.st_gid != user[1]:
        os.chown(folder, -1, user[1])
    if status.st_mode & 0o777 != mode:
        folder.chmod(mode)


def _key(home: Path) -> bytes:
    path = home / "key"
    with suppress(FileNotFoundError):
        key = path.read_bytes()
        if len(key) == sha256().digest_size:
            return key
    growing = home / "growing" / "key"
    growing.unlink(missing_ok=True)
    fd = os.open(growing, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o400)
    with os.fdopen(fd, "wb") as file:
        file.write(secrets.token_bytes(sha256().digest_size))
        _sync(file.fileno())
    growing.rename(path)
    return path.read_bytes()


@contextmanager
def _lock(home: Path) -> Iterator[None]:
    fd = os.open(home / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        unix.fcntl.flock(fd, unix.fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def _hold(tree: Path) -> int | None:
    """Keep others from evicting a tree as long as the returned descriptor is open."""
    try:
        fd = os.open(tree, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        # Waits for somebody who is evicting it; then it is gone.
        unix.fcntl.flock(fd, unix.fcntl.LOCK_SH)
        if os.path.samestat(os.fstat(fd), tree.stat()):
            os.utime(fd)
            return fd
    except FileNotFoundError:
        pass
    except BaseException:
        os.close(fd)
        raise
    os.close(fd)
    return None


def _grow(store: Cache, listing: Listing, fetch: Fetch, max_mib: int) -> None:
    """Make the tree of a bundle beside the others, and let it appear at once."""
    growing, held_fd = _begin(store)
    try:
        root = growing / "tree"
        root.mkdir()
        new_blobs = [file for file in listing.files if not _link(store, root, file)]
        for file in new_blobs:
            _write(store, root, file, fetch)
        for file in new_blobs:
            # All of them, and only then: the disk is asked to write everything at once.
            _sync_path(_target(root, file))
        _seal(root)
        tree = store.tree(listing)
        with _lock(store.home):
            if not tree.exists():
                # Its owner may only move a folder that he may write to.
                root.chmod(_folder_mode() | 0o200)
                root.rename(tree)
                tree.chmod(_folder_mode())
                _sync_path(store.trees)
            evict(store.home, max_mib << 20, spare=tree)
    finally:
        remove(growing)
        os.close(held_fd)


def _begin(store: Cache) -> tuple[Path, int]:
    """Return a folder of our own with the descriptor that holds it; clear those of the dead."""
    with _lock(store.home):
        for path in (store.home / "growing").iterdir():
            if path.is_dir():
                _remove_unless_held(path)
        growing = store.home / "growing" / secrets.token_hex(8)
        growing.mkdir(mode=0o700)
        fd = os.open(growing, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        unix.fcntl.flock(fd, unix.fcntl.LOCK_SH)
    return growing, fd


def _remove_unless_held(folder: Path) -> None:
    with suppress(FileNotFoundError):
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            unix.fcntl.flock(fd, unix.fcntl.LOCK_EX | unix.fcntl.LOCK_NB)
            remove(folder)
        except BlockingIOError:
            pass
        finally:
            os.close(fd)


def _link(store: Cache, root: Path, file: ListedFile) -> bool:
    """Link a blob that is in the cache into a tree; one that is damaged is dropped instead."""
    target = _target(root, file)
    try:
        os.link(store.blob(file.digest), target)
    except FileNotFoundError:
        return False
    except OSError as error:
        if error.errno != errno.EMLINK:
            raise
        # The file system gives it no more names: the trees to come share another one.
        store.blob(file.digest).unlink(missing_ok=True)
        return False
    if _is_intact(target.read_bytes(), file):
        return True
    target.unlink()
    store.blob(file.digest).unlink(missing_ok=True)
    return False


def _write(store: Cache, root: Path, file: ListedFile, fetch: Fetch) -> None:
    """Fetch what the cache lacks, and share it with the trees to come."""
    if _link(store, root, file):
        # The same content stands in the bundle twice, or another process was quicker.
        return
    data = fetch(file)
    if not _is_intact(data, file):
        raise InfrastructureError(f"{file.path} of a bundle is damaged: fetch it from a backup")
    target = _target(root, file)
    fd = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(fd, "wb") as blob:
        blob.write(data)
    user = drop_to()
    if user is not None:
        os.chown(target, -1, user[1])
    target.chmod(0o400 if user is None else 0o440)
    with suppress(FileExistsError):
        os.link(target, store.blob(file.digest))


def _is_intact(data: bytes, file: ListedFile) -> bool:
    return len(data) == file.size and sha256(data).hexdigest() == file.digest


def _target(root: Path, file: ListedFile) -> Path:
    """Return where a file of a bundle belongs; whatever led elsewhere is ours to have refused."""
    parts = file.path.split("/")
    if {"", ".", ".."} & set(parts) or "\0" in file.path:
        raise InfrastructureError(f"{file.path!r} is no path of a bundle")
    target = root / PurePosixPath(*parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def _seal(root: Path) -> None:
    """Let the user of boxes read the folders, and nobody write."""
    user = drop_to()
    for path, _, _ in os.walk(root, topdown=False):
        if user is not None:
            os.chown(path, -1, user[1])
        os.chmod(path, _folder_mode())


def _folder_mode() -> int:
    return 0o500 if drop_to() is None else 0o550


def _sync_path(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        _sync(fd)
    finally:
        os.close(fd)


def _sync(fd: int) -> None:
    """Have it on the disk before its name is: what is placed is not read again to verify it."""
    os.fsync(fd)


def _data_bytes(listing: Listing) -> int:
    sizes = (file.size for file in listing.files if not file.path.endswith(PYTHON))
    return sum(-(-size // PAGE) * PAGE for size in sizes)


@lru_cache(256)
def _needs_numpy(tree: Path) -> bool:
    """Return whether a file names numpy, or holds what only numpy reads.

    Not only imports count: a box of a bundle can load no library that it did not start with.
    """
    if any(next(tree.rglob(f"*.{suffix}"), None) for suffix in ("npy", "npz")):
        return True
    return any(b"numpy" in path.read_bytes() for path in tree.rglob(f"*{PYTHON}"))


__all__ = ["DEFAULT_MAX_MIB", "Cache", "open_cache", "place", "place_bundle"]
