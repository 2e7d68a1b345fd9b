"""TrueSkill arithmetic: what a match does to ratings, and what ratings say of a match.

Pure, and the same digits for the same match on one platform, whatever the order of the arguments.
"""

import logging
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, permutations, product
from math import erfc, exp, fsum, isfinite, pi, prod, sqrt
from statistics import NormalDist

with warnings.catch_warnings():
    # Its source has an escape sequence that newer Pythons warn about when they compile it.
    warnings.simplefilter("ignore")
    import trueskill  # type: ignore[import-untyped]

log = logging.getLogger(__name__)

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
TAU = SIGMA / 100
DRAW_PROBABILITY = 0.10
"""With 0, a tie would silently give nonsense."""

SHOWN_AT_ZERO = 500
SHOWN_PER_MU = 40
"""The scale that people see: an average bot has 1500."""
MARGIN_SIGMAS = 2
"""How many sigmas the ± stands for."""
CAUTION = 3
"""How many sigmas below its mean a ladder ranks a bot."""


def shown(mu: float) -> float:
    """Return a strength on the scale that people see."""
    return SHOWN_AT_ZERO + SHOWN_PER_MU * mu


def shown_margin(sigma: float) -> float:
    """Return what stands after the ±, on the scale that people see."""
    return MARGIN_SIGMAS * SHOWN_PER_MU * sigma


def cautious(mu: float, sigma: float) -> float:
    """Return what a ladder ranks by: the strength that a bot has almost surely."""
    return mu - CAUTION * sigma


@dataclass(frozen=True, slots=True, order=True)
class Rating:
    """What is believed of a bot's strength: a mean and how uncertain it is."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def shown(self) -> float:
        """The number people see."""
        return shown(self.mu)

    @property
    def margin(self) -> float:
        """What stands after the ±, on the scale that people see."""
        return shown_margin(self.sigma)

    @property
    def cautious(self) -> float:
        """What a ladder ranks by."""
        return cautious(self.mu, self.sigma)

    def __str__(self) -> str:
        return f"{self.shown:.0f} ± {self.margin:.0f}"


def rate(ratings: Sequence[Rating], placements: Sequence[int]) -> list[Rating]:
    """Return the ratings after a match; a lower place is better, and equal places are a tie.

    Where the arithmetic has no answer (a winner far below a loser), they stay as they were.
    """
    if len(ratings) != len(placements) or len(ratings) < 2:
        raise ValueError("a match has two or more seats, each with a rating and a place")
    order = sorted(range(len(ratings)), key=lambda seat: (placements[seat], ratings[seat]))
    try:
        rated = _rate_sorted([ratings[seat] for seat in order], [placements[s] for s in order])
    except (ArithmeticError, ValueError) as error:
        # The library divides by probabilities that are 0 and takes roots of rounding errors.
        log.warning("ratings stay as they were: %s for %s placed %s", error, ratings, placements)
        return list(ratings)
    return [rated[order.index(seat)] for seat in range(len(ratings))]


def _rate_sorted(ratings: list[Rating], placements: list[int]) -> list[Rating]:
    """Return the mean over all orders of those who tied.

    The library links only neighbours, so that within a tie the order would count.
    """
    tied = [list(group) for _, group in groupby(range(len(ratings)), placements.__getitem__)]
    results: list[list[Rating]] = [[] for _ in ratings]
    for orders in product(*(permutations(group) for group in tied)):
        seats = [seat for order in orders for seat in order]
        rated = _TRUESKILL.rate([(_library_rating(ratings[seat]),) for seat in seats], placements)
        for seat, (one,) in zip(seats, rated, strict=True):
            results[seat].append(Rating(one.mu, one.sigma))
    return [_mean(ones) for ones in results]


def _mean(ones: list[Rating]) -> Rating:
    if len(ones) == 1:
        mean = ones[0]
    else:
        variance = fsum(one.sigma**2 for one in ones) / len(ones)
        mean = Rating(fsum(one.mu for one in ones) / len(ones), sqrt(variance))
    if not (isfinite(mean.mu) and isfinite(mean.sigma)):
        raise FloatingPointError("not a number")
    return mean


def _library_rating(rating: Rating) -> "trueskill.Rating":
    return trueskill.Rating(rating.mu, rating.sigma)


def _cdf(x: float) -> float:
    """Return the normal distribution, exact far into the lower tail, where 1 - erf(…) is 0."""
    return erfc(-x / sqrt(2)) / 2


def _pdf(x: float) -> float:
    return exp(-x * x / 2) / sqrt(2 * pi)


@cache
def _ppf(share: float) -> float:
    return NormalDist().inv_cdf(share)


_TRUESKILL = trueskill.TrueSkill(MU, SIGMA, BETA, TAU, DRAW_PROBABILITY, (_cdf, _pdf, _ppf))


def chance_to_beat(one: Rating, other: Rating) -> float:
    """Return how likely one finishes before the other."""
    spread = sqrt(2 * BETA**2 + one.sigma**2 + other.sigma**2)
    return _cdf((one.mu - other.mu) / spread)


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
            _cdf((performance - other.mu) / spreads[i])
            for i, other in enumerate(ratings)
            if i != seat
        )
        parts.append(_pdf(z) * below * step)
    return fsum(parts)


def quality(one: Rating, other: Rating) -> float:
    """Return how even a match between two would be, from 0 to 1.

    It is the chance that both perform alike, compared with that of bots known to be equal.
    """
    equals = 2 * BETA**2
    spread = one.sigma**2 + other.sigma**2 + equals
    return sqrt(equals / spread) * exp(-((one.mu - other.mu) ** 2) / (2 * spread))
