"""What a seat notes in a series of games: penalty points, of which the fewest win.

A game may state its own. Unless it does, a seat notes what it is behind the best at its table.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

Seat = int


@dataclass(frozen=True, slots=True)
class Penalty:
    """How the scores of a match become penalty points."""

    of_scores: Callable[[Sequence[int]], list[int]]
    most: int
    """No seat notes more in a match. One that forfeited notes this: giving up never pays."""
    meaning: str
    """What is noted, as it stands in a sentence: each bot notes …"""

    def noted(self, scores: Sequence[int], forfeits: Collection[Seat] = ()) -> list[int]:
        """Return the points of each seat; what was played for a forfeited one counts for nobody."""
        honest = [score for seat, score in enumerate(scores) if seat not in forfeits]
        points = iter(self.of_scores(honest) if honest else ())
        return [
            self.most if seat in forfeits else min(next(points), self.most)
            for seat in range(len(scores))
        ]


def behind_best(scores: Sequence[int]) -> list[int]:
    """Return how far each score is behind the best."""
    best = max(scores)
    return [best - score for score in scores]


BEHIND_BEST = Penalty(
    behind_best, most=200, meaning="what it is behind the best score at its table, at most 200"
)
