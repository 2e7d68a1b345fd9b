"""`karat watch`: the replay of a match, in the browser or as sentences."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from bots_sdk.cli.output import answer_no, refuse, say
from bots_sdk.cli.records import records_of
from engine.game import SEAT_LETTERS
from engine.record.ending import name_winner
from engine.record.reading import RecordError, read
from engine.record.recorder import Record


def run(path: Path, port: int, browser: bool, as_text: bool) -> None:
    """Show a file of records until Ctrl-C, or print it."""
    if not path.is_file():
        refuse(f"There is no file {path}.")
    try:
        if as_text:
            _print(path)
        else:
            _serve(path, port, browser)
    except RecordError as error:
        answer_no(f"{path} cannot be shown: {error}.")
    except OSError as error:
        refuse(f"{path} cannot be shown: {error.strerror}.")


def _serve(path: Path, port: int, browser: bool) -> None:
    from bots_sdk.viewer.server import serve  # noqa: PLC0415  no other command needs to load the viewer

    # Ctrl-C may come before the server handles it.
    with suppress(KeyboardInterrupt):
        serve(path, port=port, browser=browser)


def _print(path: Path) -> None:
    for number, (_, text) in enumerate(records_of(path)):
        if number:
            say()
        for line in replay(read(text)):
            say(line)


def replay(record: Record) -> Iterator[str]:
    """Yield the match in sentences, one for each step."""
    names = seat_names(record)
    for step in name_winner(record)["steps"]:
        yield f"{step['i']:>4}  {sentence(step, names)}{_asides(step, names)}"


def seat_names(record: Record) -> list[str]:
    """Return the bots with the letters of their seats."""
    return [f"{SEAT_LETTERS[seat]} {player['name']}" for seat, player in enumerate(record["seats"])]


def sentence(step: Mapping[str, Any], names: list[str]) -> str:
    """Return the sentence of a step with the names and cards filled in."""
    words = {str(seat): name for seat, name in enumerate(names)}
    words |= {name: str(step[name]) for name in ("card", "out") if name in step}
    return re.sub(r"\{(\w+)\}", lambda place: words.get(place[1], place[0]), step["text"])


def _asides(step: Mapping[str, Any], names: list[str]) -> str:
    """Return what bots noted about their moves, and which moves are the league's."""
    if "moves" in step:
        notes, faults = step.get("note") or [], step["fault"]
    elif "move" in step:
        notes = [""] * step["seat"] + [step.get("note")]
        faults = [None] * step["seat"] + [step.get("fault")]
    else:
        return ""
    remarks = [f"{names[seat]}: “{note}”" for seat, note in enumerate(notes) if note]
    remarks += [f"{names[seat]}: {fault}" for seat, fault in enumerate(faults) if fault]
    return f"  ({'; '.join(remarks)})" if remarks else ""
