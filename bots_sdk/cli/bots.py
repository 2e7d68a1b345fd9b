"""The bots that can be named on the command line: house bots by name, an author's by file.

An author's bot is a `.py` file or a bundle: a folder, or a `.zip` of one.
"""

from importlib.util import find_spec
from os.path import isdir
from pathlib import Path

from bots_sdk import house, installation
from bots_sdk.cli.fault_report import explain_finding
from bots_sdk.cli.output import refuse, suggest
from bots_sdk.local.matches import BUILT_IN, Entrant, program
from engine.game import Game
from engine.registry import GAMES
from runners.bundles.cache import place_bundle
from runners.bundles.own import ZIP, is_bundle, open_bundle, read_bundle
from runners.bundles.unpacked import UnpackedBundle
from runners.limits import DEFAULT
from runners.upload.source import Finding

PYTHON = ".py"


def entrants(names: str, game: Game, boxed: bool) -> list[Entrant]:
    """Return the bots of a comma-separated list, or refuse."""
    return [entrant(name, game, boxed) for name in names.split(",")]


def entrant(name: str, game: Game, boxed: bool) -> Entrant:
    """Return the bot of this name or file, or refuse. A file for a box is judged by the box."""
    if name in BUILT_IN:
        return Entrant(name)
    if name in house.names(game.slug):
        return _house_bot(game.slug, name, boxed)
    if not is_own_bot(name):
        names = list(dict.fromkeys([*BUILT_IN, *house.names(game.slug)]))
        refuse(
            f"There is no bot {name!r}; there are {', '.join(names)}, "
            f"or name a .py file, a folder or a .zip.{suggest(name, names)}"
        )
    bot = read_bot_file(Path(name), boxed)
    if not boxed:
        games = games_of(bot)
        if games and game.slug not in games:
            refuse(f"{bot.file} plays {', '.join(games)}, not {game.slug}.")
    return bot


def _house_bot(game: str, name: str, boxed: bool) -> Entrant:
    """Return a house bot, or refuse one that this machine cannot play."""
    folder = house.folder(game, name)
    if folder is None:
        return Entrant(name, house.source(game, name), f"{name}.py")
    source = _open(folder, boxed)
    if source.numpy and find_spec("numpy") is None:
        refuse(
            f"The house bot {name} is a trained network and needs numpy; "
            f"install it with: {installation.install_command('box')}"
        )
    return Entrant(name, source, name)


def is_own_bot(word: str) -> bool:
    """Tell whether a word names a file or bundle of the author, and no game or bot by its name.

    A folder that is called like one of those is meant by `./greedy` or `greedy/`.
    """
    if word in {"", *GAMES, *BUILT_IN, *(name for slug in GAMES for name in house.names(slug))}:
        return False
    return word.endswith((PYTHON, ZIP, "/")) or isdir(word)


def read_bot_file(path: Path, boxed: bool = False) -> Entrant:
    """Return the bot in an author's file, folder or zip, or refuse."""
    if not path.exists() or not (path.is_file() or path.is_dir()):
        refuse(f"There is no file {path}.{suggest(str(path), _bot_files(path.parent))}")
    try:
        if is_bundle(path):
            name = path.stem if path.is_file() else path.resolve().name
            return Entrant(name, _open(path, boxed), str(path), own_file=True)
        if path.stat().st_size > DEFAULT.source_kib << 10:
            refuse(f"{path} is larger than {DEFAULT.source_kib} KiB, the limit for a bot.")
        text = path.read_text(encoding="utf-8-sig")
        return Entrant(path.stem, text, str(path), own_file=True)
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}.")
    except UnicodeDecodeError as error:
        refuse(f"{path} is not UTF-8 text: byte {error.start}.")


def _open(path: Path, boxed: bool) -> UnpackedBundle:
    """Return a bundle that can be played, here or in boxes, or refuse."""
    try:
        return place_bundle(read_bundle(path)) if boxed else open_bundle(path)
    except Finding as finding:
        refuse("\n".join(explain_finding(finding, str(path))))


def _bot_files(folder: Path) -> list[str]:
    """Return what may be a bot in a folder."""
    return [str(path) for path in folder.glob("*") if path.suffix == PYTHON or is_bundle(path)]


def games_of(bot: Entrant) -> tuple[str, ...]:
    """Return what an author's bot says it plays; refuse a file that cannot play."""
    try:
        return program(bot).games
    except Finding as finding:
        lines = explain_finding(finding, bot.file)
        refuse("\n".join([f"{bot.file} cannot play.", *lines]))
