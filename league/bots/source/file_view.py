"""One file of a version as its page shows it: a text, an array, or only its size and digest.

Nothing is guessed from the content but whether it is text. Images and the like are data: a page
shows nothing that somebody else could have drawn.
"""

import json
from dataclasses import dataclass

from django.utils.safestring import SafeString

from league.blobs import store
from league.bots.bundles import files
from league.bots.source import highlight, limited, tree
from runners import limited_process
from runners.bundles.bundle import ListedFile
from runners.failures import InfrastructureError

MAX_TEXT = 256 << 10
"""Bytes. Longer files are not shown, only offered to be downloaded."""
_HEAD = 4 << 10
"""Of an array: its head is never longer unless somebody made it so."""
_LIMITS = limited_process.ChildLimits(cpu_seconds=1, memory_mib=256, wall_seconds=10)


@dataclass(frozen=True, slots=True)
class FileView:
    """A file, and what can be shown of it."""

    file: ListedFile
    code: SafeString | None = None
    line_count: int = 0
    array: str = ""
    """Such as `float32, 128 × 64`."""

    @property
    def kind(self) -> str:
        """Return what its name says about it."""
        return tree.kind_of(self.file.path)


def view(file: ListedFile) -> FileView:
    """Return what can be shown of a file of a bundle."""
    if text := read_text(file):
        return FileView(file, highlight.lines(text, file.path), text.count("\n"))
    if file.path.endswith(".npy"):
        return FileView(file, array=_array(file))
    return FileView(file)


def read_text(file: ListedFile) -> str | None:
    """Return the text of a file; None if it is long, or no text."""
    if file.size > MAX_TEXT:
        return None
    try:
        text = files.read(file.digest).decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _array(file: ListedFile) -> str:
    """Return the type and the shape of an array, if its head can be read."""
    head = store.read_head(file.digest, _HEAD)
    try:
        folders = [limited.__path__[0]]
        facts = json.loads(
            limited_process.run("arrays", head, folders=folders, limits=_LIMITS) or b"null"
        )
    except (limited_process.TooExpensive, InfrastructureError):
        return ""
    if facts is None:
        return ""
    return f"{facts['type']}, {' × '.join(map(str, facts['shape'])) or 'a single number'}"
