"""What a result says of a difference of two performances: corrections of its mean and variance.

The difference is normal before the result is known. A win cuts off everything below the draw
margin, a tie everything outside of it on both sides. `win` and `draw` return by how much that moves
the mean, and which share of the variance it takes away; both are accurate however unlikely the
result was. *v* and *w* are the same for a variance of 1, as in papers about TrueSkill.
"""

from math import cosh, erfc, exp, pi, sinh, sqrt, tanh
from statistics import NormalDist

from bots_sdk.rating.belief import BETA, DRAW_PROBABILITY

Correction = tuple[float, float]

MARGIN = NormalDist().inv_cdf((DRAW_PROBABILITY + 1) / 2) * sqrt(2) * BETA
"""Performances that differ by less are a tie."""

TAIL = 6.0
"""Beyond so many sigmas, differences of nearly equal numbers would cost too many digits."""
LEVELS = 16
"""Of the continued fraction; at `TAIL` a few more would change no digit."""
NARROW = 0.02
"""A margin below this is integrated numerically, for the same reason."""
STEEP = 40.0
"""If the density falls by more than exp(-40) within the margin, its far end does not matter."""
_ROOT_2 = sqrt(2)
_DENSITY = sqrt(2 / pi)
"""Twice the density at 0, because `erfc` is twice the distribution."""


def win(mean: float, variance: float) -> Correction:
    """Return the corrections of a difference that turned out to be above the margin."""
    spread = sqrt(variance)
    x = (mean - MARGIN) / spread
    if x < -TAIL:
        v, w = _tail(-x)
        return spread * v, w
    v = _DENSITY * exp(-x * x / 2) / erfc(-x / _ROOT_2)
    return spread * v, v * (v + x)


def draw(mean: float, variance: float) -> Correction:
    """Return the corrections of a difference that turned out to be within the margin around 0."""
    spread = sqrt(variance)
    x, margin = abs(mean) / spread, MARGIN / spread
    near, far = x - margin, x + margin
    if near > TAIL or margin < NARROW:
        v, w = _unlikely_draw(x, margin)
    else:
        share = erfc(near / _ROOT_2) - erfc(far / _ROOT_2)
        at_near, at_far = _DENSITY * exp(-near * near / 2), _DENSITY * exp(-far * far / 2)
        v = (at_far - at_near) / share
        w = v * v + (far * at_far - near * at_near) / share
    return (-spread * v if mean < 0 else spread * v), w


def _unlikely_draw(x: float, margin: float) -> Correction:
    near = x - margin
    if near > TAIL and 2 * margin * near > STEEP:
        v, w = _tail(near)
        return -v, w
    return _integrate_draw(x, margin)


def _tail(t: float) -> Correction:
    """Return the corrections if only the tail beyond `t` sigmas is left, by Laplace's fraction."""
    rest = t
    for level in range(LEVELS, 2, -1):
        rest = t + level / rest
    step = t + 2 / rest
    v = t + 1 / step
    return v, v / step


def _integrate_draw(x: float, margin: float) -> Correction:
    slope = x * margin
    mass = first = 0.0
    weighted = []
    for u, weight in _NODES:
        density = weight * exp(slope * (u - 1) - (margin * u) ** 2 / 2)
        mass += density
        first += density * u
        weighted.append((u, density))
    mean = first / mass
    variance = sum(density * (u - mean) ** 2 for u, density in weighted) / mass
    return margin * mean - x, 1 - margin * margin * variance


def _nodes(step: float, count: int) -> list[tuple[float, float]]:
    """Return points between -1 and 1 with weights, for integrals of smooth functions."""
    nodes = []
    for number in range(-count, count + 1):
        z = pi / 2 * sinh(number * step)
        nodes.append((tanh(z), cosh(number * step) / cosh(z) ** 2))
    return nodes


_NODES = _nodes(step=1 / 16, count=50)
