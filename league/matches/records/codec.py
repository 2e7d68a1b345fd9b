"""Records as the league stores them: the public part compressed, notes with their seats.

Pure: takes and returns records and bytes.
"""

import gzip
from typing import Any

from league.database import packing
from league.matches.records.compact import expand, is_compact

Record = dict[str, Any]
Notes = list[dict[str, str]]
"""For each seat, what it noted, by step."""


def split_notes(record: Record, public: list[bool]) -> tuple[Record, Notes]:
    """Return the record without the notes of seats that keep them private, and all notes."""
    notes: Notes = [{} for _ in record["seats"]]
    steps = []
    for step in record["steps"]:
        if "note" in step:
            step = _without(step, notes, public)
        steps.append(step)
    return record | {"steps": steps}, notes


def _without(step: Record, notes: Notes, public: list[bool]) -> Record:
    note = step["note"]
    at = str(step["i"])
    if not isinstance(note, list):
        notes[step["seat"]][at] = note
        public_note = note if public[step["seat"]] else None
    else:
        for seat, line in enumerate(note):
            if line is not None:
                notes[seat][at] = line
        public_note = [line if public[seat] else None for seat, line in enumerate(note)]
        public_note = public_note if any(line is not None for line in public_note) else None
    rest = {name: value for name, value in step.items() if name != "note"}
    return rest | {"note": public_note} if public_note is not None else rest


def merge_notes(record: Record, seat: int, notes: dict[str, str]) -> Record:
    """Return the copy for an owner: with the notes of the bot in this seat."""
    steps = [*record["steps"]]
    for at, line in notes.items():
        step = steps[int(at)]
        if "seat" in step:
            steps[int(at)] = step | {"note": line}
        else:
            lines = list(step.get("note") or [None] * len(record["seats"]))
            lines[seat] = line
            steps[int(at)] = step | {"note": lines}
    return record | {"steps": steps}


def pack(record: Record) -> bytes:
    """Return a record as it is stored and sent."""
    return packing.pack(record)


def whole(data: bytes | memoryview) -> bytes:
    """Return the bytes of a record with all its steps, even if it is stored compact."""
    record = packing.unpack(data)
    return pack(expand(record)) if is_compact(record) else bytes(data)


def unpacked(data: bytes | memoryview) -> bytes:
    """Return the JSON text of a stored record."""
    return gzip.decompress(whole(data))


def unpack(data: bytes | memoryview) -> Record:
    """Return a stored record."""
    record = packing.unpack(data)
    return expand(record) if is_compact(record) else record


def think_times(record: Record) -> list[tuple[float, float]]:
    """Return, for each seat, its total thinking time and its slowest decision, in ms."""
    times: list[list[float]] = [[] for _ in record["seats"]]
    for step in record["steps"]:
        spent = step.get("ms")
        if isinstance(spent, list):
            for seat, ms in enumerate(spent):
                times[seat].append(ms or 0.0)
        elif spent is not None:
            times[step["seat"]].append(spent)
    return [(round(sum(one), 1), max(one, default=0.0)) for one in times]
