"""How ladders share the workers: how many matches of each may wait. Pure.

Ladders finish about as many matches each, however long their matches take and in whatever order
workers take them: one that is far ahead keeps a single match waiting until the others catch up.
"""

from collections.abc import Collection
from enum import IntEnum

MAX_LEAD = 1.2
"""A ladder finishes at most so many times the matches of the slowest ladder in need."""


class Need(IntEnum):
    """Whose ratings would gain from more matches on a ladder."""

    NONE = 0
    HOUSE = 1
    """House bots only: no owner waits for these matches."""
    USERS = 2


def is_ahead(finished: int, others: Collection[int], limit: int) -> bool:
    """Return whether a ladder finished so many matches lately that others have to catch up: those
    whose owners are waiting for matches. It may be ahead by `limit` in any case.
    """
    return any(finished > MAX_LEAD * other + limit for other in others)


def free_places(need: Need, waiting: int, limit: int, *, steps_back: bool) -> int:
    """Return how many more matches of a ladder may be queued, at most `limit` in all.

    A ladder that needs none, or that steps back behind others, gets one match at a time.
    """
    if need is Need.NONE or steps_back:
        limit = min(1, limit)
    return max(0, limit - waiting)
