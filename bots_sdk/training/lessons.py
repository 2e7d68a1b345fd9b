"""Learning from a teacher: watch how a house bot plays, and do the same in the same situation."""

from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from bots_sdk.rl import GemEnv, Guest
from bots_sdk.training.inputs import Inputs
from bots_sdk.training.network import Floats, LearningNetwork, Masks, probabilities

RATE = 1e-3
BATCH = 256
VALUE_PART = 0.5
"""What the error of an expected reward counts, compared with a wrong action."""


@dataclass(slots=True)
class Lessons:
    """What teachers did, decision by decision, and how their matches ended."""

    inputs: Floats
    masks: Masks
    actions: NDArray[np.int64]
    rewards: Floats

    def __len__(self) -> int:
        return len(self.actions)

    def split(self, every: int) -> tuple["Lessons", "Lessons"]:
        """Return the later lessons, and the first ones: one in so many."""
        few = len(self) // every
        first, later = slice(few), slice(few, None)
        return self._some(later), self._some(first)

    def _some(self, rows: slice) -> "Lessons":
        return Lessons(self.inputs[rows], self.masks[rows], self.actions[rows], self.rewards[rows])


def watch(
    matches: list[GemEnv], teacher: Guest, others: list[Guest], inputs: Inputs, chance: Random
) -> Lessons:
    """Play these matches, with the teacher on about half of the seats, and note what it does."""
    rows: list[tuple[Floats, Masks, int]] = []
    rewards: list[float] = []
    for match in matches:
        match.reset(seed=chance.getrandbits(32))
        line_up = {
            agent: teacher if chance.random() < 0.5 else chance.choice(others)
            for agent in match.possible_agents
        }
        agents = []
        while not any(match.terminations.values()):
            agent = match.agent_selection
            action = line_up[agent].act(match)
            if line_up[agent] is teacher:
                seen = match.observe(agent)
                row = np.zeros(inputs.size, np.float32)
                inputs.write(row, seen["observation"], match.seats)
                rows.append((row, seen["action_mask"], action))
                agents.append(agent)
            match.step(action)
        rewards += [match.rewards[agent] for agent in agents]
    seen_inputs, masks, actions = zip(*rows, strict=True)
    return Lessons(
        np.array(seen_inputs), np.array(masks), np.array(actions), np.array(rewards, np.float32)
    )


def imitate(network: LearningNetwork, lessons: Lessons, chance: np.random.Generator) -> None:
    """Go through all lessons once, in random order."""
    batches = max(1, len(lessons) // BATCH)
    for rows in np.array_split(chance.permutation(len(lessons)), batches):

        def slopes(
            preferences: Floats, expected: Floats, rows: NDArray[np.int64] = rows
        ) -> tuple[Floats, Floats]:
            chances = probabilities(preferences, lessons.masks[rows])
            chances[np.arange(len(rows)), lessons.actions[rows]] -= 1
            return chances, VALUE_PART * 2 * (expected - lessons.rewards[rows])

        network.learn(lessons.inputs[rows], slopes, RATE)


def loss(network: LearningNetwork, lessons: Lessons) -> float:
    """Return how surprised the network is by what the teachers did, on average."""
    preferences, _ = network.judge(lessons.inputs)
    chances = probabilities(preferences, lessons.masks)
    right = chances[np.arange(len(lessons)), lessons.actions]
    return float(-np.log(right + 1e-9).mean())
