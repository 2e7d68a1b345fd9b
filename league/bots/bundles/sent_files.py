"""Files as a form sends them: their paths, their sizes, and the contents as far as they came.

A page asks about the files somebody chose before all of them are sent, so it sends all names and
sizes, and only the contents that are read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from runners.bundles.bundle import PYTHON, Bundle, ListedFile
from runners.bundles.paths import is_junk
from runners.bundles.rules import (
    check_count,
    check_files,
    check_packed_size,
    megabytes,
    places,
    unusable,
)

ZIP = ".zip"
MAX_SIZE = 1 << 40
"""Of a file that somebody says there is."""
MAX_LISTED = 10_000
"""Names that are looked at, most of them to be left out."""


@dataclass(frozen=True)
class SentFiles:
    """Files by the paths that the browser gave them."""

    sizes: Mapping[str, int]
    """Of all files that were chosen."""
    contents: Mapping[str, bytes]
    """Of those that were sent."""

    @property
    def archive(self) -> str | None:
        """Return the name of the zip, if that is all there is."""
        names = list(self.sizes)
        return names[0] if len(names) == 1 and names[0].lower().endswith(ZIP) else None

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """Return the names of files that are none of the bot."""
        return tuple(name for name in self.sizes if is_junk(name))

    @property
    def kept(self) -> list[int]:
        """Return the positions of the others in the list that the browser sent."""
        left_out = set(self.left_out)
        return [at for at, name in enumerate(self.sizes) if name not in left_out]

    @property
    def listed(self) -> tuple[ListedFile, ...]:
        """Return the files as far as they are known, to show them; not too many."""
        limits, left_out = settings.BUNDLE_LIMITS, set(self.left_out)
        shown = [
            name
            for name in self.sizes
            # One level more than a bundle has: the top folder is not taken off yet.
            if name not in left_out
            and name.count("/") <= limits.depth
            and len(name) <= 2 * limits.path_length
        ][: limits.files]
        return tuple(ListedFile(name, self.sizes[name], "") for name in shown)

    @property
    def complete(self) -> bool:
        """Return whether everything is there that can be read without running it."""
        needed = [name for name in self.sizes if name.endswith(PYTHON) or name == self.archive]
        left_out = set(self.left_out)
        return all(name in self.contents for name in needed if name not in left_out)

    def check_archive(self) -> None:
        """Raise a `Finding` if the zip is too large."""
        check_packed_size(sum(self.sizes.values()), settings.BUNDLE_LIMITS)

    def bundle(self) -> Bundle:
        """Return the bundle of these files; those that were not sent are empty in it. Raise a
        `Finding` if they are none.
        """
        limits = settings.BUNDLE_LIMITS
        names = places(self.sizes)
        check_count(len(names), limits)
        sizes = {place: self.sizes[name] for name, place in names.items()}
        check_files(sizes, limits)
        if (total := sum(sizes.values())) > limits.packed_bytes:
            raise unusable(
                f"the files have {megabytes(total)} MB together, and a form takes"
                f" {limits.packed_mib} MB; drop a `.zip` of the folder, or use `karat push`"
            )
        return Bundle({place: self.contents.get(name, b"") for name, place in names.items()})


def read(files: "Sequence[UploadedFile[Any]]", paths: object, listing: object) -> SentFiles:
    """Return the files of a form with their paths, default: their names, and all that were chosen,
    default: those that were sent. `ValueError` if lists and files do not fit together.
    """
    names = _as_names(paths) if paths is not None else [file.name or "" for file in files]
    if len(names) != len(files):
        raise ValueError("The files and their names do not fit together.")
    if len(set(names)) < len(names):
        raise ValueError("Two files have the same name.")
    contents = {name: bytes(file.read()) for name, file in zip(names, files, strict=True)}
    sent = {name: len(data) for name, data in contents.items()}
    sizes = sent if listing is None else _as_sizes(listing) | sent
    return SentFiles(sizes, contents)


def _as_names(value: object) -> list[str]:
    if not isinstance(value, list) or not all(map(_is_name, value)):
        raise ValueError("The names of the files are damaged.")
    return value


def _as_sizes(value: object) -> dict[str, int]:
    """Return the sizes by name of a list such as `[["bot.py", 120]]`."""
    if isinstance(value, list) and len(value) <= MAX_LISTED and all(map(_is_row, value)):
        return dict(value)
    raise ValueError("The list of the files is damaged.")


def _is_name(name: object) -> bool:
    """Return whether this is text that can be encoded: JSON knows halves of characters."""
    return isinstance(name, str) and name.encode(errors="ignore").decode() == name


def _is_row(row: object) -> bool:
    match row:
        case [name, int(size)]:
            return _is_name(name) and 0 <= size <= MAX_SIZE
    return False
