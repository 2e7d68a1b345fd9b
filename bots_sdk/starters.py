"""The bots that `karat new` begins with, one for each game."""

from pathlib import Path

CLASS = "MyBot"
"""What the class is called in the files."""


def starter(game: str, name: str = CLASS) -> str:
    """The text of a game's starter bot, its class called by this name."""
    path = Path(__file__).parent / "games" / game.replace("-", "_") / "starter.py"
    return path.read_text(encoding="utf-8").replace(CLASS, name)
