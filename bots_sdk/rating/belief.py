"""A rating and the scale people see it on, and the parameters of TrueSkill that define ratings."""

from dataclasses import dataclass

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
