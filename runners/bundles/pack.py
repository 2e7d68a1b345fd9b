"""Making bundles of folders and files, and archives of bundles.

An archive depends on nothing but the bundle: not on the order, times or rights of the files, nor,
as long as it is not compressed, on the version of zlib.
"""

import os
import stat
import zipfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import NoReturn

from runners.bundles.bundle import Bundle
from runners.bundles.limits import DEFAULT, BundleLimits
from runners.bundles.paths import is_junk
from runners.bundles.rules import check_count, check_files, places, unusable

_TIME = (1980, 1, 1, 0, 0, 0)
"""The first one there is in a zip."""
_MODE = stat.S_IFREG | 0o644
_UNIX = 3
_LEVEL = 9


def from_files(files: Mapping[str, bytes], limits: BundleLimits = DEFAULT) -> Bundle:
    """Return the bundle of files that were dropped or sent, by their paths.

    What is junk is left out, and a folder that all files lie in is not part of their paths. Raise
    a `Finding` if they are no bundle.
    """
    names = places(files)
    check_files({place: len(files[name]) for name, place in names.items()}, limits)
    return Bundle({place: files[name] for name, place in names.items()})


def read_folder(folder: Path, limits: BundleLimits = DEFAULT) -> Bundle:
    """Return the bundle of a folder of one's own, without junk; raise a `Finding` if it is none.

    Nothing is read before the sizes are known.
    """
    paths: dict[str, Path] = {}
    for place, path in _files_in(folder):
        paths[place] = path
        check_count(len(paths), limits)
    check_files({place: path.lstat().st_size for place, path in paths.items()}, limits)
    files = {place: _content(place, path) for place, path in paths.items()}
    check_files({place: len(data) for place, data in files.items()}, limits)
    return Bundle(files)


def _files_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files below a folder with their places in it. Links are refused, not followed."""
    for parent, folders, names in os.walk(folder, onerror=_refuse_folder):
        below = Path(parent)
        folders.sort()
        for name in sorted(folders + names):
            path = below / name
            place = path.relative_to(folder).as_posix()
            if is_junk(place):
                continue
            mode = path.lstat().st_mode
            if stat.S_ISREG(mode):
                yield place, path
            elif not stat.S_ISDIR(mode):
                kind = "a link" if stat.S_ISLNK(mode) else "no ordinary file"
                raise unusable(f"it is {kind}; put the file itself into the folder", place)
        folders[:] = [
            name for name in folders if not is_junk((below / name).relative_to(folder).as_posix())
        ]


def _refuse_folder(error: OSError) -> NoReturn:
    reason = f"the folder cannot be read ({error.strerror}); change its rights or name another"
    raise unusable(reason, str(error.filename)) from None


def _content(place: str, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = f"it cannot be read ({error.strerror}); change its rights or leave it out"
        raise unusable(reason, place) from None


def pack(bundle: Bundle, *, compress: bool = False) -> bytes:
    """Return a bundle as a zip.

    The same bundle is the same bytes on every machine; of a compressed one only the digest is.
    """
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as writer:
        for file in bundle.listing.files:
            entry = zipfile.ZipInfo(file.path, _TIME)
            entry.create_system = _UNIX
            entry.external_attr = _MODE << 16
            writer.writestr(entry, bundle.files[file.path], method, _LEVEL)
    return archive.getvalue()
