"""The house bots: opponents for everybody, and examples to read. Adding one is adding a file.

Each lies in the kit of its game and is the kind of file an author uploads. They are
found by their files and never imported here: a house bot is loaded like any other.
"""

from functools import cache
from pathlib import Path

from runners.plugins.discovery import kits


@cache
def files(game: str) -> dict[str, Path]:
    """Return the files of a game's house bots by name, in the order of the alphabet."""
    if game not in kits():
        return {}
    folder = kits()[game].folder / "house"
    return {path.stem: path for path in sorted(folder.glob("[a-z]*.py"))}


def names(game: str) -> list[str]:
    """Return the names of a game's house bots."""
    return list(files(game))


def source(game: str, name: str) -> str:
    """Return the text of a house bot."""
    return files(game)[name].read_text(encoding="utf-8")
