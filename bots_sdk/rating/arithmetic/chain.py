"""TrueSkill for a table of single seats: a chain of differences between neighbours in the result.

The messages of TrueSkill's factor graph, sent in the order in which `trueskill` sends them, as
plain numbers: normal distributions as their precision and their mean times the precision.
"""

from collections.abc import Sequence
from math import sqrt

from bots_sdk.rating.arithmetic.truncation import draw, win
from bots_sdk.rating.belief import BETA, TAU

MAX_ROUNDS = 10
"""As in the library."""
SETTLED = 1e-10
"""Messages that change by less are settled: ratings then differ by less than 1e-7."""

_NOISE = BETA**2
"""The variance of a performance around the skill."""
_DYNAMICS = TAU**2
"""What is added to the variance of a skill before every match."""


def update(
    mus: Sequence[float], sigmas: Sequence[float], ties: Sequence[bool]
) -> list[tuple[float, float]]:
    """Return mu and sigma of each seat after a match. The first seat won; `ties[i]` says whether
    seat `i + 1` tied with seat `i`, as opposed to losing to it.
    """
    count, last = len(mus), len(mus) - 2
    # Relative to the first seat: only differences matter, and small numbers are exact.
    means = [mu - mus[0] for mu in mus]
    skills = [sigma * sigma + _DYNAMICS for sigma in sigmas]
    own = [1 / (skill + _NOISE) for skill in skills]
    own_means = [mean * precision for mean, precision in zip(means, own, strict=True)]
    correct = [draw if tied else win for tied in ties]
    # What each seat is told by the difference above it and by the one below it.
    above, above_means = [0.0] * count, [0.0] * count
    below, below_means = [0.0] * count, [0.0] * count
    for _ in range(MAX_ROUNDS):
        settled = True
        # Downwards: every difference tells its lower seat. The last one follows on the way back.
        for i in range(max(last, 1)):
            upper = 1 / (own[i] + above[i])
            lower = 1 / (own[i + 1] + below[i + 1])
            lower_mean = (own_means[i + 1] + below_means[i + 1]) * lower
            variance = upper + lower
            mean = (own_means[i] + above_means[i]) * upper - lower_mean
            shift, share = correct[i](mean, variance)
            if i == 0:
                first = mean, variance, shift, share
            rest = variance - share * lower
            above[i + 1] = share / rest
            above_means[i + 1] = (share * lower_mean - shift) / rest
        # Upwards: every difference but the first tells its upper seat.
        for i in range(last, 0, -1):
            upper = 1 / (own[i] + above[i])
            lower = 1 / (own[i + 1] + below[i + 1])
            upper_mean = (own_means[i] + above_means[i]) * upper
            lower_mean = (own_means[i + 1] + below_means[i + 1]) * lower
            variance = upper + lower
            shift, share = correct[i](upper_mean - lower_mean, variance)
            if i == last:
                rest = variance - share * lower
                above[i + 1] = share / rest
                above_means[i + 1] = (share * lower_mean - shift) / rest
            rest = variance - share * upper
            precision, precision_mean = share / rest, (share * upper_mean + shift) / rest
            if (
                abs(precision - below[i]) > SETTLED
                or abs(precision_mean - below_means[i]) > SETTLED
            ):
                settled = False
            below[i], below_means[i] = precision, precision_mean
        if settled:
            break
    # Last, the winner is told by the first difference, with what was learnt of the second seat.
    mean, variance, shift, share = first
    lower = 1 / (own[1] + below[1])
    rest = variance * (1 - share) + share * lower
    below[0] = share / rest
    below_means[0] = (share * ((own_means[1] + below_means[1]) * lower + mean) + shift) / rest
    return [
        _skill(mus[i], means[i], skills[i], above[i] + below[i], above_means[i] + below_means[i])
        for i in range(count)
    ]


def _skill(
    mu: float, mean: float, variance: float, precision: float, precision_mean: float
) -> tuple[float, float]:
    """Return mu and sigma of a seat after what was learnt of its performance."""
    rest = 1 + (variance + _NOISE) * precision
    moved = variance * (precision_mean - mean * precision) / rest
    return mu + moved, sqrt(variance * (1 + _NOISE * precision) / rest)
