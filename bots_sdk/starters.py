"""What `karat new` begins with: the bot of a game's kit, or a plain one; or a bundle."""

import json
from pathlib import Path

from engine.registry import find
from runners.plugins.discovery import kits
from runners.upload.check import positions

CLASS = "MyBot"
"""What the class is called in the files."""
PLAIN = Path(__file__).with_name("plain_starter.py")
"""For games whose kit has no starter: it names the game as below."""
BUNDLE = Path(__file__).with_name("bundle_starter")
DATA_FILE = "preferences.json"
_GAME_NAME, _GAME_SLUG = "GAME_NAME", "game-slug"
_README = """\
# CLASS

`bot.py` is the bot, `preferences.py` a module of its own, `preferences.json` the data it loads.
Try `karat play FOLDER`, change the numbers, and see with `karat arena` what they are worth.
`karat check FOLDER` checks it as a league does, `karat push FOLDER` uploads it.
"""


def class_name(stem: str) -> str:
    """Return the name of the class in a file of this name: `my_bot` holds `MyBot`."""
    words = "".join(letter if letter.isalnum() else " " for letter in stem).split()
    name = "".join(word[:1].upper() + word[1:] for word in words)
    return name if name.isidentifier() and name.isascii() else CLASS


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
    return _fill_in(PLAIN.read_text(encoding="utf-8"), slug, game_name)


def bundle(slug: str, folder: str, name: str = CLASS) -> dict[str, str]:
    """Return the files of a bundle to begin with, its class called by this name."""
    files = {
        file: _fill_in((BUNDLE / file).read_text(encoding="utf-8"), slug, find(slug).name)
        for file in ("bot.py", "preferences.py")
    }
    files[DATA_FILE] = json.dumps(_preferences(slug), indent=2) + "\n"
    files["README.md"] = _README.replace("CLASS", CLASS).replace("FOLDER", folder)
    return {file: text.replace(CLASS, name) for file, text in files.items()}


def _fill_in(text: str, slug: str, game_name: str) -> str:
    return text.replace(_GAME_NAME, game_name).replace(_GAME_SLUG, slug)


def _preferences(slug: str) -> dict[str, int]:
    """Return the kinds of moves there are in the first positions of a game, all liked the same."""
    game = find(slug)
    kinds = {
        options[index].partition(" ")[0]
        for seats in game.seats
        for options in (game.options(state, seat) for state, seat in positions(game, seats))
        for index in range(len(options))
    }
    return dict.fromkeys(sorted(kinds), 1)
