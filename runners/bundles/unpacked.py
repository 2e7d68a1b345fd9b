"""A bundle that lies unpacked on this machine, for a box to see."""

import re
from dataclasses import dataclass
from pathlib import Path

_NUMPY = re.compile(r"^\s*(?:import|from)\s.*\bnumpy\b", re.MULTILINE)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class UnpackedBundle:
    """A verified bundle in a folder that nobody writes to."""

    digest: str
    folder: Path
    entry: str
    """The file with the bot, below the folder."""
    text: str
    """The text of that file."""
    data_bytes: int
    """The size of its data files in whole pages, which a bot may map on top of its memory."""
    numpy: bool
    """Whether some file of it imports numpy."""


Code = str | UnpackedBundle
"""What plays at a seat: the text of a single file, or a bundle."""


def imports_numpy(code: Code) -> bool:
    """Return whether a bot seems to import numpy. A file that hides it only starts more slowly."""
    return _NUMPY.search(code) is not None if isinstance(code, str) else code.numpy
