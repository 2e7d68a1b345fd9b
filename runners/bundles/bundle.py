"""A bundle as a value: its files by their paths, and the digest that names exactly this content.

The digest is that of the listing, not of an archive: however the same files were packed, they are
the same bundle.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

ENTRY_FILES = ("bot.py", "__init__.py")
"""Where the bot is: the first of these that lies at the top."""
PYTHON = ".py"


@dataclass(frozen=True, slots=True, order=True)
class ListedFile:
    """One file of a bundle, without its content."""

    path: str
    size: int
    digest: str
    """The SHA-256 of the content, in hex."""


@dataclass(frozen=True)
class Listing:
    """All files of a bundle, by path. Two bundles with one digest have the same content."""

    files: tuple[ListedFile, ...]

    @classmethod
    def of(cls, files: Iterable[ListedFile]) -> "Listing":
        """Return the listing of these files, sorted by the bytes of their paths."""
        return cls(tuple(sorted(files, key=lambda file: file.path.encode())))

    @cached_property
    def text(self) -> str:
        """One line for each file: its digest, its size and its path."""
        return "".join(f"{file.digest} {file.size} {file.path}\n" for file in self.files)

    @cached_property
    def digest(self) -> str:
        """The name of this content."""
        return sha256(self.text.encode()).hexdigest()

    @property
    def size(self) -> int:
        """The bytes of all files together."""
        return sum(file.size for file in self.files)

    @property
    def data_bytes(self) -> int:
        """The bytes of all files that are not Python: what a bot may map on top of its memory."""
        return sum(file.size for file in self.files if not file.path.endswith(PYTHON))

    @property
    def entry(self) -> str | None:
        """The path of the file with the bot; None if there is none."""
        paths = {file.path for file in self.files}
        return next((entry for entry in ENTRY_FILES if entry in paths), None)


@dataclass(frozen=True)
class Bundle:
    """A bundle in memory."""

    files: Mapping[str, bytes]

    @cached_property
    def listing(self) -> Listing:
        """What it holds, without the contents."""
        return Listing.of(
            ListedFile(path, len(data), sha256(data).hexdigest())
            for path, data in self.files.items()
        )

    @property
    def digest(self) -> str:
        """The name of this content."""
        return self.listing.digest

    @property
    def entry(self) -> str | None:
        """The path of the file with the bot; None if there is none."""
        return self.listing.entry

    @property
    def python_files(self) -> dict[str, bytes]:
        """The files that are Python, by path."""
        return {path: self.files[path] for path in sorted(self.files) if path.endswith(PYTHON)}
