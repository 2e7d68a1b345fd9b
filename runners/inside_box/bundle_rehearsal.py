"""Load a bundle in the template of bundles, so that every box of one starts with warm code.

The bundle is the folder of our own engine: it lies in every box, and some of it imports nothing.
"""

import io
import sys

from .bundles import forget_bundle, load_bundle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Numpy = Any
    Sdk = Any

ROUNDS = 5
SOURCE = """import seats
from .seats import SEAT_LETTERS
from bots_sdk import Bot


class Rehearsing(Bot):
    letters = SEAT_LETTERS
"""


def rehearse_bundle(home: str, sdk: "Sdk") -> None:
    """Load a bundle of our own; nothing of it stays behind."""
    folder = f"{home}/engine"
    for _ in range(ROUNDS):
        before = set(sys.modules)
        load_bundle({"source": SOURCE, "seed": "", "file": "bot.py", "folder": folder}, sdk)
        forget_bundle(sdk)
        for name in set(sys.modules) - before:
            del sys.modules[name]
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        rehearse_numpy(numpy, f"{home}/games.txt")


def rehearse_numpy(numpy: "Numpy", path: str) -> None:
    """Read an array and map a file, which is what most of those who bring data do."""
    for _ in range(ROUNDS):
        file = io.BytesIO()
        numpy.save(file, numpy.zeros((2, 2), "float32"))
        file.seek(0)
        weights = numpy.load(file)
        (weights @ weights).sum()
        numpy.memmap(path, "uint8", "r")[:1].sum()
