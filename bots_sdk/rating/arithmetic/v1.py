"""The former arithmetic: the library `trueskill` as it is, and the mean over all orders of a tie.

Ledgers are recomputed with it up to the entry that begins version 2, so no digit of it may change.
Version 2 also hands over what its own arithmetic does not cover.
"""

import logging
import warnings
from collections.abc import Sequence
from functools import cache
from itertools import groupby, permutations, product
from math import fsum, isfinite, sqrt
from statistics import NormalDist

from bots_sdk.rating.belief import BETA, DRAW_PROBABILITY, MU, SIGMA, TAU, Rating
from bots_sdk.rating.normal import cdf, pdf

with warnings.catch_warnings():
    # Its source has an escape sequence that newer Pythons warn about when they compile it.
    warnings.simplefilter("ignore")
    import trueskill  # type: ignore[import-untyped]

log = logging.getLogger(__name__)


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


@cache
def _ppf(share: float) -> float:
    return NormalDist().inv_cdf(share)


_TRUESKILL = trueskill.TrueSkill(MU, SIGMA, BETA, TAU, DRAW_PROBABILITY, (cdf, pdf, _ppf))
