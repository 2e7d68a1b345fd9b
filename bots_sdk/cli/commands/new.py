"""`karat new`: a bot to begin with."""

from importlib.util import find_spec
from pathlib import Path

from bots_sdk import starters
from bots_sdk.cli.match_request import find_game
from bots_sdk.cli.output import plural, print_json, refuse, say
from bots_sdk.installation import install_command
from engine.registry import GAMES


def run(path: Path, slug: str | None, as_json: bool) -> None:
    """Write the starter bot of a game to a new file."""
    if path.suffix != ".py":
        refuse(f"{path} is not the name of a Python file; end it with .py.")
    game = find_game(slug or next(iter(GAMES)))
    text = starters.starter(game.slug, class_name(path.stem))
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        refuse(f"{path} already exists; choose another name.")
    except OSError as error:
        refuse(f"{path} cannot be written: {error.strerror}.")
    lines = len(text.splitlines())
    if as_json:
        print_json({"file": str(path), "game": game.slug, "lines": lines})
        return
    say(f"Created {path} ({plural(lines, 'line')}). It already plays, at random.")
    if find_spec("gymnasium") is None:
        say(f"For reinforcement learning:  {install_command('rl')}")
    say(f"Next:  karat play {path}")


def class_name(stem: str) -> str:
    """Return the name of the class in a file of this name: `my_bot` holds `MyBot`."""
    words = "".join(letter if letter.isalnum() else " " for letter in stem).split()
    name = "".join(word[:1].upper() + word[1:] for word in words)
    return name if name.isidentifier() and name.isascii() else starters.CLASS
