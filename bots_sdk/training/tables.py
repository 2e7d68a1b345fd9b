"""Tables at which the learner plays: against house bots, and against itself.

Every seat is the learner's or a guest's. Many tables go on side by side, so that the network is
asked about all of them at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np
from numpy.typing import NDArray

from bots_sdk.rl import GemEnv, Guest
from bots_sdk.rl.encoding import Encoding
from bots_sdk.training.inputs import Inputs
from bots_sdk.training.network import Floats, LearningNetwork, Masks, probabilities

LineUp = list[Guest | None]
"""Who sits where; None is the learner."""


@dataclass(slots=True)
class Experience:
    """What the learner met at one seat of one match, decision by decision."""

    inputs: list[Floats] = field(default_factory=list)
    masks: list[Masks] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    chances: list[float] = field(default_factory=list)
    """How likely it chose as it did."""
    expected: list[float] = field(default_factory=list)
    """The reward it expected."""
    reward: float = 0.0
    """The reward it got."""


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match with the rewards of all seats, and the experience of those of the learner."""

    line_up: LineUp
    rewards: list[float]
    experiences: dict[int, Experience]


class Table:
    """One match after the other."""

    def __init__(
        self, game: str, encoding: Encoding, line_ups: Callable[[Random], LineUp], chance: Random
    ) -> None:
        self._line_ups = line_ups
        self._chance = chance
        self._game = game
        self._encoding = encoding
        self._matches: dict[int, GemEnv] = {}
        self.begin()

    def begin(self) -> None:
        """Seat everybody for the next match, and deal."""
        self.line_up = self._line_ups(self._chance)
        self.match = self._with_seats(len(self.line_up))
        self.match.reset(seed=self._chance.getrandbits(32))
        self.experiences = {
            seat: Experience() for seat, guest in enumerate(self.line_up) if guest is None
        }

    def _with_seats(self, seats: int) -> GemEnv:
        if seats not in self._matches:
            self._matches[seats] = GemEnv(self._game, seats, encoding=self._encoding, news=True)
        return self._matches[seats]

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.match.possible_agents.index(self.match.agent_selection)

    def advance(self) -> FinishedMatch | None:
        """Let guests move until the learner is asked; return the match if it ends before that."""
        while not any(self.match.terminations.values()):
            guest = self.line_up[self.seat]
            if guest is None:
                return None
            self.match.step(guest.act(self.match))
        rewards = list(self.match.rewards.values())
        for seat, experience in self.experiences.items():
            experience.reward = rewards[seat]
        return FinishedMatch(self.line_up, rewards, self.experiences)


class Tables:
    """Many tables, and one network that plays at all of them."""

    def __init__(
        self, tables: Sequence[Table], inputs: Inputs, chance: np.random.Generator
    ) -> None:
        self._tables = tables
        self._inputs = inputs
        self._chance = chance

    def play(self, network: LearningNetwork, matches: int) -> list[FinishedMatch]:
        """Play until so many matches have ended; others stay as they are until the next call."""
        finished: list[FinishedMatch] = []
        while len(finished) < matches:
            for table in self._tables:
                while match := table.advance():
                    finished.append(match)
                    table.begin()
            self._decide(network)
        return finished

    def _decide(self, network: LearningNetwork) -> None:
        """Let the network make one decision at every table, and remember it."""
        inputs, masks = self._observe()
        preferences, expected = network.judge(inputs)
        chances = probabilities(preferences, masks)
        actions = choose(chances, self._chance)
        for index, (table, action) in enumerate(zip(self._tables, actions, strict=True)):
            experience = table.experiences[table.seat]
            experience.inputs.append(inputs[index])
            experience.masks.append(masks[index])
            experience.actions.append(int(action))
            experience.chances.append(chances[index, action])
            experience.expected.append(expected[index])
            table.match.step(int(action))

    def _observe(self) -> tuple[Floats, Masks]:
        observations = [table.match.observe(table.match.agent_selection) for table in self._tables]
        inputs = np.zeros((len(observations), self._inputs.size), np.float32)
        for row, table, seen in zip(inputs, self._tables, observations, strict=True):
            self._inputs.write(row, seen["observation"], table.match.seats)
        return inputs, np.array([seen["action_mask"] for seen in observations])


def choose(chances: Floats, chance: np.random.Generator) -> NDArray[np.int64]:
    """Return an action for each row, by these chances."""
    sums = chances.cumsum(axis=1)
    limits = chance.random((len(sums), 1), np.float32) * sums[:, -1:]
    actions: NDArray[np.int64] = (sums > limits).argmax(axis=1)
    return actions
