"""The bots that can be named on the command line: ours by name, an author's by file."""

from pathlib import Path

from bots_sdk import house
from bots_sdk.cli.output import refuse
from bots_sdk.local.matches import OURS, Entrant, program
from engine.game import Game
from runners.faults import message
from runners.limits import DEFAULT
from runners.upload.source import Finding


def entrants(named: str, game: Game, boxed: bool) -> list[Entrant]:
    """The bots of a list with commas, or a refusal."""
    return [entrant(name, game, boxed) for name in named.split(",")]


def entrant(named: str, game: Game, boxed: bool) -> Entrant:
    """The bot of this name or file, or a refusal. A file for a box is judged by the box."""
    if named in OURS:
        return Entrant(named)
    if named in house.names(game.slug):
        return Entrant(named, house.source(game.slug, named), f"{named}.py")
    path = Path(named)
    if path.suffix != ".py":
        there = ", ".join(dict.fromkeys([*OURS, *house.names(game.slug)]))
        refuse(f"There is no bot {named!r}; there are {there}, or name a .py file.")
    found = author_s(path)
    if not boxed:
        games = games_of(found)
        if games and game.slug not in games:
            refuse(f"{path} plays {', '.join(games)}, not {game.slug}.")
    return found


def author_s(path: Path) -> Entrant:
    """The bot in an author's file, or a refusal."""
    if not path.is_file():
        refuse(f"There is no file {path}.")
    try:
        if path.stat().st_size > DEFAULT.source_kib << 10:
            refuse(f"{path} has more than {DEFAULT.source_kib} KiB, which no box takes.")
        return Entrant(path.stem, path.read_text(encoding="utf-8-sig"), str(path))
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}.")
    except UnicodeDecodeError as error:
        refuse(f"{path} is not UTF-8 text: byte {error.start}.")


def games_of(found: Entrant) -> tuple[str, ...]:
    """What an author's bot plays, as far as it says so; a file that cannot play is refused."""
    try:
        return program(found).games
    except Finding as finding:
        title = message(finding.code).title
        refuse(
            f"{found.file} cannot play: {finding.code} {title}; karat check {found.file} says more."
        )
