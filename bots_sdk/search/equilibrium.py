"""What players choose who all choose at the same time from the same options.

A table of payoffs says what every joint choice brings to every seat. In it, `respond` finds what
players choose who prefer what pays but make mistakes (a quantal response equilibrium), and
`OpponentModels` learns which kind of player each neighbour is.
"""

from collections.abc import Mapping, Sequence
from math import exp, prod

from bots_sdk.bot import View

Joint = tuple[str, ...]
"""A choice for each seat."""
Payoffs = Mapping[Joint, Sequence[float]]
"""What each joint choice brings to each seat."""
Habit = dict[str, float]
"""How often a seat makes each choice."""

DEEP_THOUGHT = 6
"""How often clever players answer each other's habits before they choose."""
MISTAKES = 1.5
"""A choice that is worse by this much is made e times less often."""
_NEVER = 1e-9


def expected_values(payoffs: Payoffs, habits: Sequence[Habit]) -> list[dict[str, float]]:
    """Return for each seat what each choice brings on average if the others choose by habit."""
    values = [dict.fromkeys(habit, 0.0) for habit in habits]
    weights = [dict.fromkeys(habit, _NEVER) for habit in habits]
    for joint, payoff in payoffs.items():
        chances = [habit[action] for habit, action in zip(habits, joint, strict=True)]
        together = prod(chances)
        for seat, action in enumerate(joint):
            own = chances[seat]
            others = together / own if own else prod(chances[:seat] + chances[seat + 1 :])
            values[seat][action] += others * payoff[seat]
            weights[seat][action] += others
    return [
        {action: value[action] / weight[action] for action in value}
        for value, weight in zip(values, weights, strict=True)
    ]


def respond(payoffs: Payoffs, options: Sequence[str], iterations: int) -> list[Habit]:
    """Return the habits of all seats after so many rounds of answers to each other's habits."""
    seats = len(next(iter(payoffs)))
    habits = [dict.fromkeys(options, 1 / len(options)) for _ in range(seats)]
    step = 1.0
    for _ in range(iterations):
        for habit, values in zip(habits, expected_values(payoffs, habits), strict=True):
            best = max(values.values())
            odds = {action: exp((values[action] - best) / MISTAKES) for action in options}
            total = sum(odds.values())
            for action in options:
                habit[action] += step * (odds[action] / total - habit[action])
        step = 0.5
    return habits


def frequencies(counts: Mapping[str, int]) -> Habit:
    """Return the habit of a seat that makes each choice as often as before."""
    total = sum(counts.values())
    return {action: count / total for action, count in counts.items()}


class OpponentModels:
    """Three ideas of how seats choose, and how well each of them predicted each seat.

    Steady players do what they did before. Simple ones think of themselves only. Clever ones expect
    the same of the others.
    """

    def __init__(self) -> None:
        self.trust: list[dict[str, float]] = []
        self.counts: list[dict[str, int]] = []
        """How often each seat made each choice, and once more."""
        self.predictions: dict[str, list[Habit]] = {}

    def learn(self, view: View, options: Sequence[str]) -> None:
        """Trust each model by how well it predicted what the seats chose since the last call."""
        if not self.trust:
            self.trust = [dict.fromkeys(("steady", "simple", "clever"), 1.0) for _ in view.seats]
            self.counts = [dict.fromkeys(options, 1) for _ in view.seats]
        for step in view.news:
            if "moves" in step and self.predictions:
                for seat, action in enumerate(step.moves):
                    self.counts[seat][action] += 1
                    for model, habits in self.predictions.items():
                        self.trust[seat][model] *= habits[seat][action]

    def predict(self, payoffs: Payoffs, options: Sequence[str]) -> list[Habit]:
        """Return what each seat will choose by the models, each as far as it is trusted."""
        self.predictions = {
            "steady": [frequencies(counts) for counts in self.counts],
            "simple": respond(payoffs, options, 1),
            "clever": respond(payoffs, options, DEEP_THOUGHT),
        }
        return [self._belief(seat) for seat in range(len(self.counts))]

    def _belief(self, seat: int) -> Habit:
        trust = self.trust[seat]
        total = sum(trust.values())
        return {
            action: sum(
                trust[model] * habits[seat][action] for model, habits in self.predictions.items()
            )
            / total
            for action in self.counts[seat]
        }
