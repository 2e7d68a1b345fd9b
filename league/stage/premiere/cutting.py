"""A record cut off after some steps, so that nothing computed from it can tell of later ones. Pure.

Whatever a wall is sent of a premiere is computed from such a record and from nothing else.
"""

from typing import Any

from engine.record.ending import forfeiting_faults
from engine.record.types import AnyRecord, Document

_HEAD = ("schema", "game", "rules", "options", "seats", "limits")
"""What is known before the first move. The seed and the digest are not: both give cards away."""


def cut(record: AnyRecord, count: int) -> Document:
    """Return the record of the first `count` steps: a match that has come this far."""
    steps = record["steps"][:count]
    faults = [f for f in record["faults"] if f["step"] is None or f["step"] < count]
    is_whole = count >= len(record["steps"])
    return {
        **{name: record[name] for name in _HEAD},
        "steps": list(steps),
        "faults": faults,
        "outcome": dict(record["outcome"]) if is_whole else _open_outcome(record, faults),
    }


def _open_outcome(record: AnyRecord, faults: list[Any]) -> dict[str, Any]:
    """Return the outcome of a match that goes on: nobody is ahead, some may have forfeited."""
    seats = len(record["seats"])
    return {
        "placements": [1] * seats,
        "scores": [0] * seats,
        "reason": "",
        "forfeits": sorted(forfeiting_faults(faults)),
    }
