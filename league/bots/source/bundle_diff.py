"""What changed between two versions, file by file. A version of one file is a bundle of one."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from time import monotonic
from typing import Literal

from league.bots.source.diff import MAX_LINES, Difference, compare
from runners.bundles.bundle import ListedFile

MAX_COMPARED = 40
"""Files whose lines are compared on one page."""
MAX_SECONDS = 0.5
"""Of comparing on one page, besides the last comparison that began."""
Status = Literal["changed", "added", "removed"]
STATUSES: tuple[Status, ...] = ("changed", "added", "removed")
ReadText = Callable[[ListedFile], str | None]


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that is not the same in both versions, as far as it is there."""

    path: str
    old: ListedFile | None
    new: ListedFile | None
    difference: Difference | None = None
    """Of the lines, if both are texts."""
    not_compared: bool = False
    """Whether the page has enough lines already."""

    @property
    def status(self) -> Status:
        """Return what happened to it."""
        if self.old is None:
            return "added"
        return "changed" if self.new else "removed"


@dataclass(frozen=True, slots=True)
class Comparison:
    """All changes, and the files that are the same in both."""

    changes: tuple[FileChange, ...]
    unchanged: tuple[ListedFile, ...]

    def count(self, status: Status) -> int:
        """Return how many files were added, removed or changed."""
        return sum(change.status == status for change in self.changes)

    @property
    def summary(self) -> str:
        """Return all counts in words; empty if nothing changed."""
        counts = [(self.count(status), status) for status in STATUSES]
        parts = [f"{count} {status}" for count, status in counts if count]
        if not parts:
            return ""
        number, _, rest = ", ".join(parts).partition(" ")
        return f"{number} file{'' if number == '1' else 's'} {rest}"


def compare_files(
    old: Iterable[ListedFile], new: Iterable[ListedFile], read_text: ReadText
) -> Comparison:
    """Return what changed; texts are read with `read_text`, which returns None for data."""
    before, after = ({file.path: file for file in files} for files in (old, new))
    changes, unchanged = [], []
    for path in sorted(before.keys() | after.keys(), key=lambda path: path.split("/")):
        one, other = before.get(path), after.get(path)
        if other is not None and one == other:
            unchanged.append(other)
        else:
            changes.append(FileChange(path, one, other))
    return Comparison(tuple(_with_lines(changes, read_text)), tuple(unchanged))


def _with_lines(changes: list[FileChange], read_text: ReadText) -> Iterator[FileChange]:
    """Yield the changes, those of texts with their lines until the page has enough of them."""
    compared = line_count = 0
    until = monotonic() + MAX_SECONDS
    for change in changes:
        if change.old is None or change.new is None:
            # All lines of a file that is new or gone are on its page.
            yield change
        elif compared >= MAX_COMPARED or line_count >= MAX_LINES or monotonic() >= until:
            yield replace(change, not_compared=True)
        else:
            compared += 1
            difference = _difference(change.old, change.new, read_text)
            line_count += sum(map(len, difference.groups)) if difference else 0
            yield replace(change, difference=difference)


def _difference(old: ListedFile, new: ListedFile, read_text: ReadText) -> Difference | None:
    before, after = read_text(old), read_text(new)
    return None if before is None or after is None else compare(before, after)
