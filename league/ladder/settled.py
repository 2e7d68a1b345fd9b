"""Which ranks are settled: pure arithmetic over ratings."""

from collections.abc import Sequence
from math import erfc, sqrt

from bots_sdk.rating import Rating

SURE = 0.95


def chance_to_be_better(one: Rating, other: Rating) -> float:
    """How likely one is the stronger of the two; the luck of a single match is not in it."""
    return erfc((other.mu - one.mu) / sqrt(2 * (one.sigma**2 + other.sigma**2))) / 2


def overlaps(ranked: Sequence[Rating]) -> list[range]:
    """The runs of neighbours, by index, that may as well stand in another order: none of a run is
    surely weaker than the first of it. Only runs of two or more.
    """
    runs = []
    first = 0
    for at in range(1, len(ranked) + 1):
        if at == len(ranked) or chance_to_be_better(ranked[first], ranked[at]) >= SURE:
            if at - first > 1:
                runs.append(range(first, at))
            first = at
    return runs
