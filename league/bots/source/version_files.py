"""The files of a version as somebody may see them. A version of one file is a bundle of one."""

from dataclasses import dataclass, replace

from league.bots import services
from league.bots.bundles import files, sources
from league.bots.models import BotVersion
from league.bots.source.file_view import read_text
from runners.bundles.bundle import ENTRY_FILES, ListedFile, Listing

MAX_ONE_TEXT = 4 << 20
"""Bytes of the files that are shown one after the other."""


@dataclass(frozen=True)
class VersionFiles:
    """All files of a version, and which of them somebody may read."""

    version: BotVersion
    listing: Listing
    with_data: bool

    @property
    def entry(self) -> str:
        """Return the file with the bot."""
        return self.listing.entry or ENTRY_FILES[0]

    @property
    def readable(self) -> list[ListedFile]:
        """Return the files whose content may be read."""
        return [file for file in self.listing.files if self._may_read(file)]

    @property
    def shown(self) -> list[ListedFile]:
        """Return all files; the digests of those that may not be read are nobody's business."""
        return [
            file if self._may_read(file) else replace(file, digest="")
            for file in self.listing.files
        ]

    def find(self, path: str) -> ListedFile | None:
        """Return a file that may be read."""
        return next((file for file in self.readable if file.path == path), None)

    def text(self, file: ListedFile) -> str | None:
        """Return the text of a file, if it is one that can be shown."""
        return read_text(file) if self.version.source.bundle else self.version.source.text

    def as_one_text(self) -> str:
        """Return all Python files one after the other, each below its name, until it is too much
        to show; of the others only what they are.
        """
        parts, length = [], 0
        for file in self.listing.files:
            shown = not files.is_data(file.path) and length + file.size <= MAX_ONE_TEXT
            text = self.text(file) if shown else None
            facts = f"({file.size:,} bytes, SHA-256 {file.digest})\n"
            parts.append(f"=== {file.path} ===\n{facts if text is None else text}")
            length += file.size if shown else 0
        return "\n".join(parts)

    def without_data(self) -> "VersionFiles":
        """Return the same version without its data files."""
        code = tuple(file for file in self.listing.files if not files.is_data(file.path))
        return replace(self, listing=Listing(code), with_data=False)

    def _may_read(self, file: ListedFile) -> bool:
        return self.with_data or not files.is_data(file.path)


def of_version(version: BotVersion, user: object) -> VersionFiles:
    """Return the files of a version for somebody who may read its code."""
    source = version.source
    if source.bundle:
        listing = sources.listing(source.pk)
        return VersionFiles(version, listing, services.may_read_data(version, user))
    single = ListedFile(ENTRY_FILES[0], len(source.text.encode()), source.pk)
    return VersionFiles(version, Listing((single,)), with_data=True)
