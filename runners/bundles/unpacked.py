"""A bundle that lies unpacked on this machine, for a box to see."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class UnpackedBundle:
    """A verified bundle in a folder that nobody writes to."""

    digest: str
    folder: Path
    entry: str
    """The file with the bot, below the folder."""
    text: str
    """The text of that file."""
    data_bytes: int
    """The size of its data files, which a bot may map on top of its memory."""
    numpy: bool
    """Whether some file of it imports numpy."""


Code = str | UnpackedBundle
"""What plays at a seat: the text of a single file, or a bundle."""
