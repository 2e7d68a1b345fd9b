"""TrueSkill arithmetic: what a match does to ratings, and what ratings say of a match.

Pure, and the same digits for the same match on one platform, whatever the order of the arguments.
"""

from collections.abc import Sequence
from math import exp, fsum, prod, sqrt

from bots_sdk.rating.arithmetic.v2 import rate
from bots_sdk.rating.belief import (
    BETA,
    CAUTION,
    DRAW_PROBABILITY,
    MU,
    SHOWN_AT_ZERO,
    SHOWN_PER_MU,
    SIGMA,
    TAU,
    Rating,
    cautious,
    shown,
    shown_margin,
)
from bots_sdk.rating.normal import cdf, pdf

__all__ = [
    "BETA",
    "CAUTION",
    "DRAW_PROBABILITY",
    "MU",
    "SHOWN_AT_ZERO",
    "SHOWN_PER_MU",
    "SIGMA",
    "TAU",
    "Rating",
    "cautious",
    "chance_to_beat",
    "chances_to_win",
    "expected_places",
    "quality",
    "rate",
    "shown",
    "shown_margin",
]


def chance_to_beat(one: Rating, other: Rating) -> float:
    """Return how likely one finishes before the other."""
    spread = sqrt(2 * BETA**2 + one.sigma**2 + other.sigma**2)
    return cdf((one.mu - other.mu) / spread)


def expected_places(ratings: Sequence[Rating]) -> list[float]:
    """Return the place each seat takes on average; together they are the places there are."""
    return [
        1 + fsum(chance_to_beat(other, one) for j, other in enumerate(ratings) if j != i)
        for i, one in enumerate(ratings)
    ]


_GRID = 96
"""Points per integral: the error is below 1e-9."""
_REACH = 8.0
"""Sigmas either side of the mean that are looked at."""


def chances_to_win(ratings: Sequence[Rating]) -> list[float]:
    """Return how likely each seat finishes before all others; together they are 1."""
    spreads = [sqrt(one.sigma**2 + BETA**2) for one in ratings]
    return [_chance_to_win(seat, ratings, spreads) for seat in range(len(ratings))]


def _chance_to_win(seat: int, ratings: Sequence[Rating], spreads: list[float]) -> float:
    """Return how likely everybody else stays below, over all performances of the seat."""
    step = 2 * _REACH / _GRID
    parts = []
    for point in range(_GRID + 1):
        z = -_REACH + point * step
        performance = ratings[seat].mu + z * spreads[seat]
        below = prod(
            cdf((performance - other.mu) / spreads[i])
            for i, other in enumerate(ratings)
            if i != seat
        )
        parts.append(pdf(z) * below * step)
    return fsum(parts)


def quality(one: Rating, other: Rating) -> float:
    """Return how even a match between two would be, from 0 to 1.

    It is the chance that both perform alike, compared with that of bots known to be equal.
    """
    equals = 2 * BETA**2
    spread = one.sigma**2 + other.sigma**2 + equals
    return sqrt(equals / spread) * exp(-((one.mu - other.mu) ** 2) / (2 * spread))
