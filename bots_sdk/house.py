"""The house bots: opponents for everybody, and examples to read. Adding one is adding a file.

Each lies in the folder of its game and is the kind of file an author uploads. They are found by
looking, and never imported here: a house bot is loaded like any other.
"""

from pathlib import Path

from engine.registry import GAMES


def _found(slug: str) -> dict[str, Path]:
    folder = Path(__file__).parent / "games" / slug.replace("-", "_") / "house"
    return {path.stem: path for path in sorted(folder.glob("[a-z]*.py"))}


HOUSE: dict[str, dict[str, Path]] = {slug: _found(slug) for slug in GAMES}
"""For each game the files of its bots, by name."""


def names(game: str) -> list[str]:
    """The house bots of a game, in the order of the alphabet."""
    return list(HOUSE[game])


def source(game: str, name: str) -> str:
    """The text of a house bot."""
    return HOUSE[game][name].read_text(encoding="utf-8")
