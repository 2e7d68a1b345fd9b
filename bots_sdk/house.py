"""The house bots: opponents for everybody, and examples to read. Adding one is adding a file.

Each lies in the kit of its game and is what an author uploads: a file, or a folder with `bot.py`
and more files. They are found by their files and never imported here: a house bot is loaded like
any other.
"""

from functools import cache
from pathlib import Path

from runners.bundles.bundle import Bundle
from runners.bundles.cache import place_bundle
from runners.bundles.pack import read_folder
from runners.bundles.unpacked import Code
from runners.plugins.discovery import kits


@cache
def files(game: str) -> dict[str, Path]:
    """Return the files of a game's house bots by name, in the order of the alphabet.

    That of a bundle is its entry file.
    """
    return dict(kits()[game].house_entries) if game in kits() else {}


def names(game: str) -> list[str]:
    """Return the names of a game's house bots."""
    return list(files(game))


def source(game: str, name: str) -> str:
    """Return the text of a house bot; of a bundle that of its entry file."""
    return files(game)[name].read_text(encoding="utf-8")


def folder(game: str, name: str) -> Path | None:
    """Return the folder of a house bot that is a bundle; None if it is a single file."""
    entry = files(game)[name]
    return None if entry.stem == name else entry.parent


def path(game: str, name: str) -> Path:
    """Return what a house bot is loaded from: its file, or its folder."""
    return folder(game, name) or files(game)[name]


def bundle(game: str, name: str) -> Bundle | None:
    """Return a house bot that is a bundle; None if it is a single file."""
    place = folder(game, name)
    return read_folder(place) if place else None


def code(game: str, name: str) -> Code:
    """Return what plays in a box; a bundle is put into the cache of this host."""
    files_of_bundle = bundle(game, name)
    return place_bundle(files_of_bundle) if files_of_bundle else source(game, name)
