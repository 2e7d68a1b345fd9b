"""Load a bundle in the template of bundles, so that every box of one starts with warm code.

The bundle is the folder of our own engine: it lies in every box, and some of it imports nothing.
"""

import sys

from .bundles import forget_bundle, load_bundle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Sdk = Any

ROUNDS = 10
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
