"""The bots that `karat new` begins with: that of a game's kit, or a plain one."""

from pathlib import Path

from engine.registry import find
from runners.plugins.discovery import kits

CLASS = "MyBot"
"""What the class is called in the files."""
PLAIN = Path(__file__).with_name("plain_starter.py")
"""For games whose kit has no starter: it names the game as below."""
_GAME_NAME, _GAME_SLUG = "GAME_NAME", "game-slug"


def starter(slug: str, name: str = CLASS) -> str:
    """Return the text of a game's starter bot, its class called by this name."""
    kit = kits().get(slug)
    if kit and (path := kit.folder / "starter.py").is_file():
        text = path.read_text(encoding="utf-8")
    else:
        text = plain(slug, find(slug).name)
    return text.replace(CLASS, name)


def plain(slug: str, game_name: str) -> str:
    """Return the text of the starter bot of a game without one of its own."""
    text = PLAIN.read_text(encoding="utf-8")
    return text.replace(_GAME_NAME, game_name).replace(_GAME_SLUG, slug)
