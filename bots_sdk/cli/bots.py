"""The bots that can be named on the command line: house bots by name, an author's by file."""

from pathlib import Path

from bots_sdk import house
from bots_sdk.cli.fault_report import explain_finding
from bots_sdk.cli.output import refuse, suggest
from bots_sdk.local.matches import BUILT_IN, Entrant, program
from engine.game import Game
from runners.limits import DEFAULT
from runners.upload.source import Finding


def entrants(names: str, game: Game, boxed: bool) -> list[Entrant]:
    """Return the bots of a comma-separated list, or refuse."""
    return [entrant(name, game, boxed) for name in names.split(",")]


def entrant(name: str, game: Game, boxed: bool) -> Entrant:
    """Return the bot of this name or file, or refuse. A file for a box is judged by the box."""
    if name in BUILT_IN:
        return Entrant(name)
    if name in house.names(game.slug):
        return Entrant(name, house.source(game.slug, name), f"{name}.py")
    path = Path(name)
    if path.suffix != ".py":
        names = list(dict.fromkeys([*BUILT_IN, *house.names(game.slug)]))
        refuse(
            f"There is no bot {name!r}; there are {', '.join(names)}, or name a .py file."
            f"{suggest(name, names)}"
        )
    bot = read_bot_file(path)
    if not boxed:
        games = games_of(bot)
        if games and game.slug not in games:
            refuse(f"{path} plays {', '.join(games)}, not {game.slug}.")
    return bot


def read_bot_file(path: Path) -> Entrant:
    """Return the bot in an author's file, or refuse."""
    if not path.is_file():
        refuse(f"There is no file {path}.{suggest(str(path), _python_files(path.parent))}")
    try:
        if path.stat().st_size > DEFAULT.source_kib << 10:
            refuse(f"{path} is larger than {DEFAULT.source_kib} KiB, the limit for a bot.")
        text = path.read_text(encoding="utf-8-sig")
        return Entrant(path.stem, text, str(path), own_file=True)
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}.")
    except UnicodeDecodeError as error:
        refuse(f"{path} is not UTF-8 text: byte {error.start}.")


def _python_files(folder: Path) -> list[str]:
    return [str(path) for path in folder.glob("*.py")]


def games_of(bot: Entrant) -> tuple[str, ...]:
    """Return what an author's bot says it plays; refuse a file that cannot play."""
    try:
        return program(bot).games
    except Finding as finding:
        lines = explain_finding(finding, bot.file)
        refuse("\n".join([f"{bot.file} cannot play.", *lines]))
