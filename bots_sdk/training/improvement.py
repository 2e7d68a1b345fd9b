"""Improvement by policy gradient: do more of what went better than expected.

It is PPO (proximal policy optimisation): after some matches the network goes through them a few
times, but no action becomes much more or less likely than it was when it was chosen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bots_sdk.training.network import Floats, LearningNetwork, Masks, probabilities
from bots_sdk.training.tables import Experience, FinishedMatch

FORESIGHT = 0.95
"""How far the result of a match counts back: less means to trust what was expected."""
MAX_CHANGE = 0.2
"""An action that became so much more or less likely is left alone."""
CURIOSITY = 0.003
"""What it is worth not to be too sure."""
VALUE_PART = 0.5
EPOCHS = 4
BATCH = 1024


@dataclass(slots=True)
class Batch:
    """Decisions of the learner, and how good they turned out to be."""

    inputs: Floats
    masks: Masks
    actions: NDArray[np.int64]
    chances: Floats
    advantages: Floats
    """How much better than expected it went from here on."""
    returns: Floats
    """What should have been expected."""

    def __len__(self) -> int:
        return len(self.actions)

    def __getitem__(self, rows: NDArray[np.int64]) -> "Batch":
        return Batch(
            self.inputs[rows],
            self.masks[rows],
            self.actions[rows],
            self.chances[rows],
            self.advantages[rows],
            self.returns[rows],
        )


def improve(
    network: LearningNetwork,
    matches: Sequence[FinishedMatch],
    rate: float,
    chance: np.random.Generator,
) -> None:
    """Learn from what happened in these matches."""
    batch = _gather(matches)
    parts = max(1, len(batch) // BATCH)
    for _ in range(EPOCHS):
        for rows in np.array_split(chance.permutation(len(batch)), parts):
            part = batch[rows]
            network.learn(part.inputs, partial(_slopes, part), rate)


def _gather(matches: Sequence[FinishedMatch]) -> Batch:
    experiences = [
        experience
        for match in matches
        for experience in match.experiences.values()
        if experience.actions
    ]
    advantages = [_advantages(experience) for experience in experiences]
    expected = np.concatenate([experience.expected for experience in experiences])
    gained = np.concatenate(advantages)
    return Batch(
        np.array([row for one in experiences for row in one.inputs]),
        np.array([row for one in experiences for row in one.masks]),
        np.concatenate([one.actions for one in experiences]),
        np.concatenate([one.chances for one in experiences]).astype(np.float32),
        ((gained - gained.mean()) / (gained.std() + 1e-6)).astype(np.float32),
        (gained + expected).astype(np.float32),
    )


def _advantages(experience: Experience) -> NDArray[np.float64]:
    """Return how much better than expected it went after each decision; the near counts most."""
    expected = np.array([*experience.expected, experience.reward], np.float64)
    changes = np.diff(expected)
    advantages = np.zeros(len(changes))
    later = 0.0
    for index in reversed(range(len(changes))):
        later = changes[index] + FORESIGHT * later
        advantages[index] = later
    return advantages


def _slopes(batch: Batch, preferences: Floats, expected: Floats) -> tuple[Floats, Floats]:
    """Return how much the loss grows with each output."""
    chances = probabilities(preferences, batch.masks)
    rows = np.arange(len(batch))
    ratios = chances[rows, batch.actions] / batch.chances
    better = batch.advantages > 0
    done = np.where(better, ratios > 1 + MAX_CHANGE, ratios < 1 - MAX_CHANGE)
    weights = np.where(done, np.float32(0), ratios * batch.advantages)
    slopes = chances * weights[:, None]
    slopes[rows, batch.actions] -= weights
    logarithms = np.log(chances + np.float32(1e-9))
    doubt = -(chances * logarithms).sum(axis=1, keepdims=True)
    slopes += np.float32(CURIOSITY) * chances * (logarithms + doubt)
    return slopes, VALUE_PART * 2 * (expected - batch.returns)
