"""The paths a bundle may have: the same file on every system, and never one outside of its folder.

Nothing here looks at a disk. Reasons are sentences for the author, without their full stop.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from unicodedata import normalize

from runners.bundles.limits import BundleLimits
from runners.upload.outline.problems import printable

FOLDER_NAMES_LEFT_OUT = frozenset({"__MACOSX", "__pycache__"})
NAMES_LEFT_OUT = frozenset({"Icon\r", "Thumbs.db", "desktop.ini"})
"""What file managers put into folders."""
_LEFTOVERS = re.compile(r".*~|#.*#|.*\.(?:pyc|pyo|swp|swo)", re.DOTALL)
_EXTENSION_MODULE = re.compile(r".*\.(?:so(?:\.[\d.]+)?|pyd|dylib|dll)", re.IGNORECASE | re.DOTALL)
_FORBIDDEN_CHARACTERS = ':*?"<>|`'
"""Some system or page takes these for drives, patterns, pipes or quotes."""
OUTSIDE = "the path leads out of the bundle; use paths below the folder with `bot.py`"
MAX_NAME_BYTES = 255
"""Of a part of a path: file systems take no more."""


def is_junk(path: str) -> bool:
    """Return whether a file is none of the bot: what systems, editors and Python leave behind.

    A path that leads out of its folder is never junk, so it is refused and not left out.
    """
    if leads_out(path):
        return False
    parts = path.split("/")
    return (
        any(part in FOLDER_NAMES_LEFT_OUT or _is_hidden(part) for part in parts)
        or parts[-1] in NAMES_LEFT_OUT
        or _LEFTOVERS.fullmatch(parts[-1]) is not None
    )


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and name != "."


def leads_out(path: str) -> bool:
    """Return whether some system could take the path for one outside of the bundle's folder."""
    parts = path.replace("\\", "/").split("/")
    return ".." in parts or parts[0] == "" or re.match(r"[A-Za-z]:", path) is not None


def path_problem(path: str, limits: BundleLimits) -> str | None:
    """Return why a file may not have this path, and what to do; None if it may."""
    if leads_out(path):
        return OUTSIDE
    if not _is_text(path):
        return "the name is not UTF-8; rename the file"
    if not path.isprintable():
        return "the name has a character that cannot be seen; rename the file"
    if "\\" in path:
        return "its folders are separated by backslashes; pack the folder again with `karat pack`"
    if characters := [one for one in _FORBIDDEN_CHARACTERS if one in path]:
        return f"a name cannot have {' '.join(characters)} in it; rename the file"
    if normalize("NFC", path) != path:
        return "the name is not in the usual Unicode form (NFC); rename the file, best in ASCII"
    return _parts_problem(path, limits) or _kind_problem(path)


def _parts_problem(path: str, limits: BundleLimits) -> str | None:
    parts = path.split("/")
    if any(part in {"", "."} for part in parts):
        return "the path has an empty part; write it with single slashes between the names"
    if any(part != part.strip() or part.endswith(".") for part in parts):
        return "a name begins or ends with a space, or ends with a dot; rename it"
    if any(len(part.encode()) > MAX_NAME_BYTES for part in parts):
        return f"a name has more than {MAX_NAME_BYTES} bytes; shorten it"
    if len(path) > limits.path_length:
        length, limit = len(path), limits.path_length
        return f"the path has {length:,} characters, the limit is {limit}; shorten the names"
    if len(parts) > limits.depth:
        depth, limit = len(parts), limits.depth
        return f"the path has {depth:,} parts, the limit is {limit}; use fewer folders"
    return None


def _kind_problem(path: str) -> str | None:
    if _EXTENSION_MODULE.fullmatch(path):
        return "compiled modules cannot be loaded in a box; leave it out and use Python or numpy"
    return None


def problems_of(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each path that gets in the way of another, with the reason.

    Two names that differ in case only, or a file and a folder of one name, are one on some system.
    """
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for path in paths:
        if clash := _clash(path, files, folders):
            yield path, clash
        files.setdefault(_folded(path), path)
        for folder in _folders_of(path):
            folders.setdefault(_folded(folder), folder)


def _clash(path: str, files: dict[str, str], folders: dict[str, str]) -> str | None:
    """Return how a path gets in the way of those that came before."""
    key = _folded(path)
    if files.get(key) == path:
        return "the file is there twice; keep one"
    if other := files.get(key):
        return f"on some systems `{show(other)}` is the same name; rename one of them"
    if key in folders:
        return "a file and a folder have this name; rename one of them"
    for folder in _folders_of(path):
        if (key := _folded(folder)) in files:
            return f"`{show(folder)}` is a folder here and also a file; rename one of them"
        if folders.get(key, folder) != folder:
            return f"on some systems its folder is the same as `{show(folders[key])}`; rename one"
    return None


def without_top_folder(paths: Iterable[str]) -> dict[str, str]:
    """Return what each path is in the bundle: if all lie in one top folder, the path below it."""
    names = list(paths)
    tops = {path.partition("/")[0] for path in names}
    if len(tops) == 1 and all("/" in path for path in names):
        return {path: path.partition("/")[2] for path in names}
    return {path: path for path in names}


def _folders_of(path: str) -> list[str]:
    return [str(folder) for folder in PurePosixPath(path).parents if folder.name]


def _folded(path: str) -> str:
    return normalize("NFC", normalize("NFC", path).casefold())


def show(path: str) -> str:
    """Return a path for a message, whatever it is made of."""
    return printable(path).replace("`", "'")


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
