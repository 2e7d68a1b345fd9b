"""`karat new`: a bot to begin with."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from bots_sdk import starters
from bots_sdk.cli.bots import PYTHON
from bots_sdk.cli.match_request import find_game
from bots_sdk.cli.output import plural, print_json, refuse, say
from bots_sdk.installation import install_command
from engine.registry import GAMES


def run(path: Path, slug: str | None, bundle: bool, as_json: bool) -> None:
    """Write the starter bot of a game to a new file, or to a new folder with more files."""
    if bundle == (path.suffix == PYTHON):
        refuse(
            f"{path} is not the name of a folder; leave out {PYTHON}."
            if bundle
            else f"{path} is not the name of a Python file; end it with {PYTHON}, "
            "or add --bundle for a folder with several files."
        )
    game = find_game(slug or next(iter(GAMES)))
    if bundle:
        files = starters.bundle(game.slug, str(path), starters.class_name(path.name))
        _write_folder(path, files)
        _show(path, game.slug, files, as_json)
        return
    text = starters.starter(game.slug, starters.class_name(path.stem))
    _write(path, text)
    lines = len(text.splitlines())
    if as_json:
        print_json({"file": str(path), "game": game.slug, "lines": lines})
        return
    say(f"Created {path} ({plural(lines, 'line')}). It already plays, at random.")
    if find_spec("gymnasium") is None:
        say(f"For reinforcement learning:  {install_command('rl')}")
    say(f"Next:  karat play {path}")


def _write_folder(folder: Path, files: Mapping[str, str]) -> None:
    try:
        folder.mkdir()
    except FileExistsError:
        refuse(f"{folder} already exists; choose another name.")
    except OSError as error:
        refuse(f"{folder} cannot be created: {error.strerror}.")
    for name, text in files.items():
        _write(folder / name, text)


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        refuse(f"{path} already exists; choose another name.")
    except OSError as error:
        refuse(f"{path} cannot be written: {error.strerror}.")


def _show(folder: Path, slug: str, files: Mapping[str, str], as_json: bool) -> None:
    """Say what is in a new folder."""
    lines = sum(len(text.splitlines()) for text in files.values())
    if as_json:
        names = [str(folder / name) for name in files]
        print_json({"file": str(folder), "game": slug, "lines": lines, "files": names})
        return
    say(f"Created {folder} with {', '.join(files)}. It already plays, by its data file.")
    say(f"Next:  karat play {folder}")
