"""What the gems of all seats are worth, measured by the majorities they may bring."""

from collections.abc import Sequence
from math import exp, sqrt, tanh

from engine.barter.gems import PER_COLOUR, SHIFT, VALUE

# Fitted to 150 matches of Edel, Stein & Reich with three seats.
KEEP = (0.0, 0.15, 0.12, 0.0)
"""By phase or stage: what a gem is worth after the scoring, as a part of its colour's value."""
DECISIVE_LEAD = (0.0, 30.0, 22.0, 14.0)
"""By phase or stage: a lead of about this size is as good as final."""


def majority_weights(rounds_left: float) -> list[float]:
    """Return the weight of each number of gems, so many rounds before a scoring.

    The chance of a majority is a seat's part of the weights of all seats.
    """
    return [exp(count / (0.3 + 0.5 * sqrt(rounds_left))) for count in range(PER_COLOUR + 1)]


def add_gems(
    worths: list[float], gems: Sequence[int], weights: Sequence[float], keep: float
) -> list[list[float]]:
    """Add to each seat's worth what its gems may bring; `gems` are packed, as positions have them.

    Return for each colour how likely each seat gets the majority.
    """
    chances = []
    for value, shift in zip(VALUE, SHIFT, strict=True):
        counts = [held >> shift & 31 for held in gems]
        parts = [weights[count] for count in counts]
        total = sum(parts)
        shares = [part / total for part in parts]
        chances.append(shares)
        for seat, share in enumerate(shares):
            worths[seat] += value * (share + keep * counts[seat] * (1 - share / 2))
    return chances


def leads(worths: Sequence[float], decisive: float) -> list[float]:
    """Return how far each seat is ahead of the others, on average.

    A lead beyond `decisive` hardly counts for more: the match is as good as won.
    """
    others = len(worths) - 1
    return [
        decisive * sum(tanh((own - other) / decisive) for other in worths) / others
        for own in worths
    ]
