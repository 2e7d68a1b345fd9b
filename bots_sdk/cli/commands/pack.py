"""`karat pack`: a folder as one file, the same bytes on every machine."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bots_sdk.cli.fault_report import explain_finding
from bots_sdk.cli.output import plural, print_json, refuse, say
from runners.bundles.bundle import Bundle
from runners.bundles.limits import DEFAULT
from runners.bundles.own import ZIP
from runners.bundles.pack import pack, read_folder
from runners.bundles.paths import is_junk
from runners.bundles.rules import check_packed_size
from runners.upload.source import Finding

INDENT = "  "
MAX_LISTED = 10
"""Files left out that are named."""


@dataclass(frozen=True, slots=True)
class _Packed:
    path: Path
    size: int
    bundle: Bundle
    left_out: list[str]


def run(folder: Path, output: Path | None, compress: bool, as_json: bool) -> None:
    """Pack a folder, and show what is inside."""
    if not folder.is_dir():
        refuse(f"{folder} is not a folder; name the one that has bot.py in it.")
    path = output or folder.resolve().with_name(f"{folder.resolve().name}{ZIP}")
    _check_place(path, folder)
    try:
        bundle = read_folder(folder)
        data = pack(bundle, compress=compress)
        check_packed_size(len(data), DEFAULT)
    except Finding as finding:
        refuse("\n".join(explain_finding(finding, folder.resolve().name)))
    except OSError as error:
        refuse(f"{folder} cannot be read: {error.strerror}.")
    _write(path, data)
    packed = _Packed(_shorten(path), len(data), bundle, sorted(_left_out(folder)))
    if as_json:
        print_json(_summary(packed))
    else:
        _show(packed)


def _check_place(path: Path, folder: Path) -> None:
    if path.suffix.lower() != ZIP:
        refuse(f"{path} is not the name of an archive; end it with {ZIP}.")
    if path.resolve().is_relative_to(folder.resolve()):
        refuse(
            f"{path} is inside of {folder}, and would be packed next time; choose another place."
        )


def _write(path: Path, data: bytes) -> None:
    """Write the file as a whole: who reads it meanwhile gets all of the old one or of the new."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        new.write_bytes(data)
        new.replace(path)
    except OSError as error:
        refuse(f"{path} cannot be written: {error.strerror}.")
    finally:
        new.unlink(missing_ok=True)


def _shorten(path: Path) -> Path:
    """Return the path as seen from here, if it is below."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _left_out(folder: Path) -> Iterator[str]:
    """Yield what is in the folder and no part of the bot; of a folder only its name."""
    for parent, folders, files in os.walk(folder):
        place = Path(parent).relative_to(folder)
        for name in files:
            if is_junk((place / name).as_posix()):
                yield (place / name).as_posix()
        for name in [name for name in folders if is_junk((place / name).as_posix())]:
            folders.remove(name)
            yield f"{(place / name).as_posix()}/"


def _summary(packed: _Packed) -> dict[str, object]:
    listing = packed.bundle.listing
    return {
        "file": str(packed.path),
        "size": packed.size,
        "unpacked_size": listing.size,
        "digest": listing.digest,
        "files": [
            {"path": file.path, "size": file.size, "digest": file.digest} for file in listing.files
        ],
        "left_out": packed.left_out,
    }


def _show(packed: _Packed) -> None:
    listing = packed.bundle.listing
    say(f"{packed.path}: {plural(len(listing.files), 'file')}, {show_size(packed.size)}")
    for line in tree_lines(packed.bundle):
        say(f"{INDENT}{line}")
    if packed.left_out:
        shown = ", ".join(packed.left_out[:MAX_LISTED])
        rest = len(packed.left_out) - MAX_LISTED
        say(f"Left out: {shown}{f' and {rest:,} more' if rest > 0 else ''}")
    say(f"Digest: {listing.digest}")
    say(f"Next:  karat check {packed.path}")


def tree_lines(bundle: Bundle) -> list[str]:
    """Return the files as a tree, each with its size."""
    rows: list[tuple[str, str]] = []
    shown: tuple[str, ...] = ()
    for file in sorted(bundle.listing.files, key=lambda one: _sort_key(one.path)):
        *folders, name = file.path.split("/")
        for depth, part in enumerate(folders):
            if shown[: depth + 1] != tuple(folders[: depth + 1]):
                rows.append((f"{INDENT * depth}{part}/", ""))
        shown = tuple(folders)
        rows.append((f"{INDENT * len(folders)}{name}", show_size(file.size)))
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return [f"{name:{widths[0]}}  {size:>{widths[1]}}".rstrip() for name, size in rows]


def _sort_key(path: str) -> list[tuple[bool, str]]:
    """Sort the files of a folder before the folders in it."""
    *folders, name = path.split("/")
    return [*((True, folder) for folder in folders), (False, name)]


def show_size(size: int) -> str:
    """Return a size that people can read."""
    if size < 1 << 10:
        return f"{size} B"
    return f"{size / 1024:,.1f} KB" if size < 1 << 20 else f"{size / (1 << 20):,.1f} MB"
