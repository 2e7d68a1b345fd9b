"""What the others probably choose: between what would be best for them and what they usually do."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bots_sdk.bot import View

PATIENCE = 6
"""After so many rounds a neighbour's habits count as much as its wishes."""


class Habits:
    """Counts what every seat chose, and guesses what it will choose next."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[int, str]] = Counter()
        """How often each seat chose each action."""

    def watch(self, view: View) -> None:
        """Remember what everybody chose since the last call."""
        for step in view.news:
            if "moves" in step:
                self.counts.update(enumerate(step.moves))

    def guess(self, seat: int, wishes: Mapping[str, float]) -> dict[str, float]:
        """Return how likely a seat chooses each action; `wishes` says so without its habits."""
        rounds = sum(self.counts[seat, action] for action in wishes)
        return {
            action: (PATIENCE * wish + self.counts[seat, action]) / (PATIENCE + rounds)
            for action, wish in wishes.items()
        }


def as_chances(worths: Mapping[str, float]) -> dict[str, float]:
    """Return chances in proportion to what actions are worth; together they are 1."""
    total = sum(worths.values())
    return {action: worth / total for action, worth in worths.items()}


def expected_share(action: str, guesses: Iterable[Mapping[str, float]]) -> float:
    """Return the part of an action one may expect: all of it alone, half of it with one other."""
    nobody, one = 1.0, 0.0
    for guess in guesses:
        chance = guess[action]
        nobody, one = nobody * (1 - chance), one * (1 - chance) + nobody * chance
    return nobody + one / 2


def wished_by_one(options: Iterable[str], wishes: Sequence[str]) -> list[str]:
    """Return the options that exactly one of the others wants."""
    return [action for action in options if wishes.count(action) == 1]
