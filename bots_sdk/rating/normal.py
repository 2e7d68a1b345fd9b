"""The standard normal distribution."""

from math import erfc, exp, pi, sqrt


def cdf(x: float) -> float:
    """Return the distribution, exact far into the lower tail, where 1 - erf(…) is 0."""
    return erfc(-x / sqrt(2)) / 2


def pdf(x: float) -> float:
    """Return the density."""
    return exp(-x * x / 2) / sqrt(2 * pi)
