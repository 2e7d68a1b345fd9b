"""The bots that can be named on the command line: ours by name, an author's by file."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bots_sdk.cli.output import refuse
from runners.limits import DEFAULT
from runners.players import FallbackPlayer, Player, RandomPlayer

OURS: dict[str, Callable[[str], Player]] = {"random": RandomPlayer, "fallback": FallbackPlayer}
"""Each makes a player for one match from the seed of its own chance."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes a seat: a player of ours that plays in this process, or a file for a box."""

    name: str
    make: Callable[[str], Player] | None = None
    source: str | None = None


def entrant(named: str, boxed: bool) -> Entrant:
    """The bot of this name or file, or a refusal."""
    if named in OURS:
        return Entrant(named, make=OURS[named])
    path = Path(named)
    if path.suffix != ".py":
        refuse(f"There is no bot {named!r}; there are {', '.join(OURS)}, or name a .py file.")
    if not path.is_file():
        refuse(f"There is no file {path}.")
    if not boxed:
        refuse(f"{path} is a file of its own; files play in boxes: add --boxed.")
    return Entrant(path.stem, source=_read(path))


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > DEFAULT.source_kib << 10:
            refuse(f"{path} has more than {DEFAULT.source_kib} KiB, which no box takes.")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}.")
    except UnicodeDecodeError as error:
        refuse(f"{path} is not UTF-8 text: byte {error.start}.")
