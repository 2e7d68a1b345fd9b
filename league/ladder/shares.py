"""How ladders share the workers: how many matches of each may wait. Pure.

Matches are played in the order they were made, so ladders with as many waiting matches finish as
many, however long their matches take.
"""

from dataclasses import dataclass
from enum import IntEnum


class Need(IntEnum):
    """Whose ratings would gain from more matches on a ladder."""

    NONE = 0
    HOUSE = 1
    """House bots only: no owner waits for these matches."""
    USERS = 2


@dataclass(frozen=True, slots=True)
class Demand:
    """What a ladder asks of the workers."""

    need: Need
    waiting: int
    """Matches of it that nobody plays yet."""


def free_places(ladder: Demand, others: set[Need], limit: int) -> int:
    """Return how many more matches of a ladder may wait, if `limit` may at most.

    Ladders on which bots of users need matches have equal shares. One on which only house bots do
    steps back behind them, and one that needs none gets a match at a time.
    """
    steps_back = ladder.need is Need.HOUSE and Need.USERS in others
    if steps_back or ladder.need is Need.NONE:
        limit = min(1, limit)
    return max(0, limit - ladder.waiting)
