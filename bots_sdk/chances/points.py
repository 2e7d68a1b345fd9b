"""Which positions of a match are played out: where a round begins, a scoring or a scene is over."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import TypeVar

from engine.facets.presentation import Presentation, Steps

T = TypeVar("T")

MAX_POINTS = 32
"""Of a match, the outcome among them. Few and sure says more than many and doubtful."""
MIN_POINTS = 20
"""A match with fewer landmarks is looked at between them, in even distances."""


def points(decisions: Sequence[int], steps: Steps, presentation: Presentation) -> list[int]:
    """Return which of these steps, after which seats had a choice, are played out.

    The first always is, and the first after each landmark of the match.
    """
    chosen = {decisions[0]}
    for i in _landmarks(steps, presentation):
        chosen.update(decisions[(at := bisect_left(decisions, i)) : at + 1])
    if len(chosen) < MIN_POINTS:
        chosen.update(thin(decisions, max(2, MIN_POINTS - len(chosen))))
    return thin(sorted(chosen), MAX_POINTS - 1)


def _landmarks(steps: Steps, presentation: Presentation) -> list[int]:
    rounds = [start.i for start in presentation.rounds(steps)]
    chapters = [start.i for start in presentation.chapters(steps)]
    scorings = [step["i"] for step in steps if presentation.is_scoring(step)]
    scenes = [scene.last for scene in presentation.scenes(steps)]
    return [*rounds, *chapters, *scorings, *scenes]


def thin(items: Sequence[T], most: int) -> list[T]:
    """Return so many of the items at most, evenly, with the first and the last."""
    if len(items) <= most:
        return list(items)
    return [items[number * (len(items) - 1) // (most - 1)] for number in range(most)]
