"""How ladders share the workers: how many matches of each may wait. Pure.

Matches are played in the order they were made, so ladders with as many waiting matches finish as
many, however long their matches take.
"""

from enum import IntEnum


class Need(IntEnum):
    """Whose ratings would gain from more matches on a ladder."""

    NONE = 0
    HOUSE = 1
    """House bots only: no owner waits for these matches."""
    USERS = 2


def free_places(need: Need, waiting: int, limit: int, *, owners_wait: bool) -> int:
    """Return how many more matches of a ladder may wait for workers, if `limit` may at most.

    Ladders on which bots of users need matches have equal shares. One on which only house bots do
    steps back if owners wait for matches of another, and one that needs none gets one at a time.
    """
    if need is Need.NONE or (need is Need.HOUSE and owners_wait):
        limit = min(1, limit)
    return max(0, limit - waiting)
