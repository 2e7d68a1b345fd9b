"""The current arithmetic: TrueSkill by a direct chain update, the mean over all orders of a tie.

The library `trueskill` defines the ratings: with `min_delta=1e-10` it gives the same ones to 1e-6
wherever it has an answer, and ratings that are not covered here are left to it. A chain links only
neighbours, so that within a tie the order would count; a tie therefore gives the mean over all
orders of those who tied, which no order of the arguments can change.
"""

from collections.abc import Sequence
from itertools import permutations, product
from math import fsum, sqrt

from bots_sdk.rating.arithmetic import v1
from bots_sdk.rating.arithmetic.chain import update
from bots_sdk.rating.belief import Rating

MAX_MU = 1e5
MAX_SIGMA = 1e4
"""Beyond these, a rating is an error, and the library decides."""


def rate(ratings: Sequence[Rating], placements: Sequence[int]) -> list[Rating]:
    """Return the ratings after a match; a lower place is better, and equal places are a tie."""
    if len(ratings) != len(placements) or len(ratings) < 2:
        raise ValueError("a match has two or more seats, each with a rating and a place")
    seats = [
        (place, rating.mu, rating.sigma, seat)
        for seat, (place, rating) in enumerate(zip(placements, ratings, strict=True))
    ]
    for _, mu, sigma, _ in seats:
        if not (-MAX_MU <= mu <= MAX_MU and 0 < sigma <= MAX_SIGMA):
            return v1.rate(ratings, placements)
    seats.sort()
    places, mus, sigmas, order = zip(*seats, strict=True)
    ties = [place == places[i] for i, place in enumerate(places[1:])]
    rated = _mean_over_orders(mus, sigmas, ties) if any(ties) else update(mus, sigmas, ties)
    results = list(ratings)
    for seat, (mu, sigma) in zip(order, rated, strict=True):
        results[seat] = Rating(mu, sigma)
    return results


def _mean_over_orders(
    mus: Sequence[float], sigmas: Sequence[float], ties: list[bool]
) -> list[tuple[float, float]]:
    """Return the mean over all orders of those who tied: of mu, and of the variance."""
    groups = [[0]]
    for seat, tied in enumerate(ties, 1):
        if tied:
            groups[-1].append(seat)
        else:
            groups.append([seat])
    results: list[list[tuple[float, float]]] = [[] for _ in mus]
    for orders in product(*map(permutations, groups)):
        seats = [seat for group in orders for seat in group]
        rated = update([mus[seat] for seat in seats], [sigmas[seat] for seat in seats], ties)
        for seat, one in zip(seats, rated, strict=True):
            results[seat].append(one)
    count = len(results[0])
    return [
        (
            fsum([mu for mu, _ in ones]) / count,
            sqrt(fsum([sigma * sigma for _, sigma in ones]) / count),
        )
        for ones in results
    ]
