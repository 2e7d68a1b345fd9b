"""Numbers that a game's own code counts in a record.

A game may come from anybody. If its counting fails, that is logged and the match goes without these
numbers: nothing here may stop a match from being stored.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from league.matches.records.codec import Record
from league.matches.statistics.style import Counts, styles

log = logging.getLogger(__name__)


def styles_of(record: Record) -> list[Counts] | None:
    """Return how each seat played, or None if that cannot be counted."""
    try:
        counts = styles(record)
        _check(counts, len(record["seats"]))
    except Exception:
        log.exception("could not count how bots played a match of %s", record["game"])
        return None
    return counts


def _check(counts: Sequence[Mapping[Any, Any]], seat_count: int) -> None:
    if len(counts) != seat_count:
        raise ValueError(f"counts for {len(counts)} seats instead of {seat_count}")
    for name, count in (item for seat in counts for item in seat.items()):
        if not isinstance(name, str) or not isinstance(count, int):
            raise TypeError(f"{name!r}: {count!r} is not a name with a whole number")
