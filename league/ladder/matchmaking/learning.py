"""What one more match would teach about a bot: pure arithmetic over ratings.

TrueSkill lowers a variance by a share that depends on the result. Weighed by how likely each result
is, that share has a closed form, so nothing has to be played or sampled to know it.
"""

from math import erfc, exp, pi, sqrt

from bots_sdk.rating.skill import BETA, TAU, Rating

_LEAST_CHANCE = 1e-12
"""Below it a result is certain, and teaches nothing."""


def expected_drop(one: Rating, other: Rating, seats: float = 2) -> float:
    """Return by how much a match against `other` is expected to lower the sigma of `one`.

    The number is negative where the league forgets faster than such a match teaches. At a table of
    several seats everybody is compared with several others at once; that this teaches as the root
    of their number was measured for two to five seats.
    """
    variance = one.sigma * one.sigma
    spread = 2 * BETA * BETA + variance + other.sigma * other.sigma
    share = variance / spread * _surprise((one.mu - other.mu) / sqrt(spread)) * sqrt(seats - 1)
    return one.sigma - sqrt(variance * max(0.0, 1 - share) + TAU * TAU)


def _surprise(gap: float) -> float:
    """Return the expected value of TrueSkill's w, for a gap in units of the spread."""
    win, loss = erfc(-gap / sqrt(2)) / 2, erfc(gap / sqrt(2)) / 2
    if win * loss < _LEAST_CHANCE:
        return 0.0
    return exp(-gap * gap) / (2 * pi) / (win * loss)
