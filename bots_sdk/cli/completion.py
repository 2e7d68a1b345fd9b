"""What a shell can complete on the command line: games, bots and files."""

from pathlib import Path

import typer

from bots_sdk import house
from bots_sdk.local.matches import BUILT_IN
from engine.registry import GAMES

BOTS, RECORDS = (".py", ".zip"), (".json", ".jsonl")


def complete_game(incomplete: str) -> list[str]:
    """Return the games that begin like this."""
    return [slug for slug in GAMES if slug.startswith(incomplete)]


def complete_bot_file(incomplete: str) -> list[str]:
    """Return the files of bots, and the folders, that begin like this."""
    return _files(incomplete, BOTS)


def complete_folder(incomplete: str) -> list[str]:
    """Return the folders that begin like this."""
    return _files(incomplete, ())


def complete_record(incomplete: str) -> list[str]:
    """Return the files of records, and the folders, that begin like this."""
    return _files(incomplete, RECORDS)


def complete_game_or_file(incomplete: str) -> list[str]:
    """Return what `karat play` begins with: a game or the file of a bot."""
    return complete_game(incomplete) + complete_bot_file(incomplete)


def complete_bot(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the house bots and files that begin like this."""
    names = [name for name in bot_names(_game_of(ctx)) if name.startswith(incomplete)]
    return names + complete_bot_file(incomplete)


def complete_bots(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the last bot of a comma-separated list."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in complete_bot(ctx, last)]


def bot_names(game: str | None) -> list[str]:
    """Return the bots that have a name: of a game, or of all."""
    slugs = [game] if game and game in GAMES else list(GAMES)
    return list(dict.fromkeys([*BUILT_IN, *(name for slug in slugs for name in house.names(slug))]))


def _game_of(ctx: typer.Context) -> str | None:
    return ctx.params.get("game") or ctx.params.get("what")


def _files(incomplete: str, suffixes: tuple[str, ...]) -> list[str]:
    path = Path(incomplete)
    folder = path if incomplete.endswith("/") else path.parent
    prefix = incomplete[: len(incomplete) - len(incomplete.rpartition("/")[2])]
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    names = [
        f"{prefix}{entry.name}{'/' if entry.is_dir() else ''}"
        for entry in entries
        if entry.suffix in suffixes or (entry.is_dir() and not entry.name.startswith("."))
    ]
    return [name for name in names if name.startswith(incomplete)]
