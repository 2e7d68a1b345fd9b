"""Which ranks are settled: pure arithmetic over ratings."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import erfc, sqrt

from bots_sdk.rating.skill import SHOWN_PER_MU, Rating
from league.ladder.matchmaking.learning import expected_drop

SURE = 0.95
MIN_MATCHES = 30
"""A version with fewer matches is not settled, however clear its place seems."""
MAX_MATCHES = 3 * MIN_MATCHES
"""A version with so many is settled: its equals had at least a third of them."""
NEGLIGIBLE = 1 / (2 * SHOWN_PER_MU)
"""A match that lowers sigma by less narrows the ± that people see by less than a point."""


def chance_to_be_better(one: Rating, other: Rating) -> float:
    """Return how likely one is the stronger of the two, without the luck of a single match."""
    return erfc((other.mu - one.mu) / sqrt(2 * (one.sigma**2 + other.sigma**2))) / 2


def overlaps(ranked: Sequence[Rating]) -> list[range]:
    """Return the runs of two or more neighbours, by index, whose order is not sure.

    None of a run is surely weaker than its first.
    """
    runs = []
    first = 0
    for at in range(1, len(ranked) + 1):
        if at == len(ranked) or chance_to_be_better(ranked[first], ranked[at]) >= SURE:
            if at - first > 1:
                runs.append(range(first, at))
            first = at
    return runs


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a bot has come in finding its place."""

    bot: int
    rating: Rating
    matches: int
    """Of the version that plays."""


def unsettled(bots: Sequence[Progress], seats: float = 2) -> set[int]:
    """Return the bots for which more matches could still change the order with confidence.

    A bot is settled once it had its first matches and, towards each neighbour in the ranking,
    either the order is sure or a match with that neighbour would teach next to nothing. So bots at
    the ends of the scale settle, whose sigma hardly falls, and identical ones, whose order never
    becomes sure. `seats` is how many sit at a usual table.
    """
    ranked = sorted(bots, key=lambda one: (-one.rating.cautious, one.bot))
    needy = {one.bot for one in ranked if one.matches < MIN_MATCHES}
    for higher, lower in pairwise(ranked):
        if chance_to_be_better(higher.rating, lower.rating) >= SURE:
            continue
        for one, other in ((higher, lower), (lower, higher)):
            if one.matches < MAX_MATCHES and one.bot not in needy:
                drop = expected_drop(one.rating, other.rating, seats)
                if drop >= NEGLIGIBLE:
                    needy.add(one.bot)
    return needy
