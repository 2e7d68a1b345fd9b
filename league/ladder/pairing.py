"""Who plays whom: a pure function of who is on the ladder and a generator.

The bot that needs a match most is served first; its opponents are sampled by how even the match
would be. Sampling keeps some far opponents in; always taking the nearest converges worse.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from random import Random

from bots_sdk.rating import Rating, quality

ENOUGH_MATCHES = 60
"""From here on a bot is no longer served before others just because it has played less."""
LEAST_WEIGHT = 0.02
"""Of an opponent however far away, so that everybody meets everybody at times."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that may be seated. `matches` counts those that still wait, too."""

    bot: int
    owner: int | None
    """None for house bots, which count as strangers to each other."""
    rating: Rating
    matches: int = 0
    waited: float = 0.0
    """Seconds since a match was last made for it."""
    seats: dict[int, int] = field(default_factory=dict)
    """How often it sat in each seat."""


def pair(
    candidates: Sequence[Candidate], tables: Mapping[int, int], rng: Random
) -> list[Candidate] | None:
    """A table: who sits in which seat. None if there are too few bots for any table.

    `tables` says how many matches there were for each size a table can have; the rarest is next.
    """
    possible = [size for size in tables if size <= len(candidates)]
    if not possible:
        return None
    served = min(candidates, key=_need)
    # Random among the rarest, so that bots served in turn do not move through the sizes in step.
    rarest = min(tables[size] for size in possible)
    size = rng.choice([size for size in possible if tables[size] == rarest])
    return _seat(_table(served, candidates, size, rng), rng)


def _need(candidate: Candidate) -> tuple[int, float, float]:
    """The lowest is served first."""
    played = min(candidate.matches, ENOUGH_MATCHES)
    return (played, -round(candidate.rating.sigma, 1), -candidate.waited)


def _table(
    served: Candidate, candidates: Sequence[Candidate], size: int, rng: Random
) -> list[Candidate]:
    """The served one with sampled opponents, no two of one owner unless nobody else is there."""
    weights = {one.bot: _weight(served, one) for one in candidates}
    table = [served]
    while len(table) < size:
        owners = {one.owner for one in table if one.owner is not None}
        seated = {one.bot for one in table}
        free = [one for one in candidates if one.bot not in seated]
        others = [one for one in free if one.owner not in owners] or free
        table += rng.choices(others, [weights[one.bot] for one in others])
    return table


def _weight(served: Candidate, other: Candidate) -> float:
    return max(LEAST_WEIGHT, quality(served.rating, other.rating))


def _seat(table: list[Candidate], rng: Random) -> list[Candidate]:
    """The order in which everybody gets a seat it had least often."""
    orders = list(permutations(table))
    rng.shuffle(orders)
    best = min(
        orders,
        key=lambda order: sum(one.seats.get(seat, 0) for seat, one in enumerate(order)),
    )
    return list(best)
