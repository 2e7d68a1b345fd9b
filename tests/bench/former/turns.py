"""Figures of several contestants taken in turns, so that a busy machine affects all alike."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

Measure = Callable[[], dict[str, float]]
"""Takes one slice of everything and returns each figure by its name."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What every contestant reached in each turn: contestant → figure → one value per turn."""

    turns: dict[str, dict[str, list[float]]]

    def typical(self, contestant: str, figure: str) -> float | None:
        """Return the median over the turns, or None if nobody measured it."""
        values = self.values(contestant, figure)
        return median(values) if values else None

    def values(self, contestant: str, figure: str) -> Sequence[float]:
        """Return the values of all turns."""
        return self.turns.get(contestant, {}).get(figure, [])

    def ratios(self, one: str, other: str, figure: str) -> list[float]:
        """Return how many times the figure of one is that of the other, turn by turn."""
        pairs = zip(self.values(one, figure), self.values(other, figure), strict=False)
        return [value / peer for value, peer in pairs]


def alternate(contestants: dict[str, Measure], turns: int) -> Figures:
    """Let everybody measure one slice per turn; who begins changes from turn to turn."""
    figures: dict[str, dict[str, list[float]]] = {name: {} for name in contestants}
    names = list(contestants)
    for turn in range(turns):
        for name in names if turn % 2 == 0 else reversed(names):
            for figure, value in contestants[name]().items():
                figures[name].setdefault(figure, []).append(value)
        print(f"  turn {turn + 1} of {turns}", flush=True)
    return Figures(figures)
