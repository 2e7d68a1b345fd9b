"""A small network that can learn: what it thinks of each action, and how the match will end.

All layers but the last are followed by max(0, x). The last has a number for every action, and one
more: the reward that is expected, which only the training needs.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Masks = NDArray[np.int8]
Slopes = Callable[[Floats, Floats], tuple[Floats, Floats]]
"""For preferences and expected rewards, row by row, how much the loss grows with each of them."""

FORGETTING = 0.9, 0.999
"""How slowly the means of Adam move: of the gradient, and of its square."""
MAX_GRADIENT = 1.0
"""A longer gradient is made as short as this."""
_TINY = 1e-5


class LearningNetwork:
    """Weights and biases, layer by layer, and what Adam remembers of them."""

    def __init__(self, sizes: tuple[int, ...], actions: int, chance: np.random.Generator) -> None:
        layers = list(pairwise((*sizes, actions + 1)))
        self.weights: list[Floats] = [
            (chance.standard_normal(layer) * np.sqrt(2 / layer[0])).astype(np.float32)
            for layer in layers
        ]
        self.weights[-1] *= np.float32(0.1)
        self.biases: list[Floats] = [np.zeros(outputs, np.float32) for _, outputs in layers]
        self.forget()

    def forget(self) -> None:
        """Forget how it was changed before: another kind of training begins."""
        self._means = [np.zeros_like(part) for part in (*self.weights, *self.biases)]
        self._squares = [np.zeros_like(part) for part in (*self.weights, *self.biases)]
        self._steps = 0

    def judge(self, inputs: Floats) -> tuple[Floats, Floats]:
        """Return what it thinks of each action, and the rewards it expects, row by row."""
        outputs = self._layers(inputs)[-1]
        return outputs[:, :-1], outputs[:, -1]

    def learn(self, inputs: Floats, slopes: Slopes, rate: float) -> None:
        """Change the weights a little: down the slopes of the loss at the outputs."""
        layers = self._layers(inputs)
        actions, expectations = slopes(layers[-1][:, :-1], layers[-1][:, -1])
        slope = np.column_stack((actions, expectations)).astype(np.float32)
        slope /= np.float32(len(inputs))
        weights: list[Floats] = []
        biases: list[Floats] = []
        for index in reversed(range(len(self.weights))):
            weights.append(layers[index].T @ slope)
            biases.append(slope.sum(axis=0))
            slope = slope @ self.weights[index].T * (layers[index] > 0)
        self._step([*reversed(weights), *reversed(biases)], rate)

    def _layers(self, inputs: Floats) -> list[Floats]:
        """Return the inputs, what comes out of each layer, and the outputs."""
        layers = [inputs]
        for weights, biases in zip(self.weights, self.biases, strict=True):
            layers.append(layers[-1] @ weights + biases)
            if len(layers) <= len(self.weights):
                np.maximum(layers[-1], 0, out=layers[-1])
        return layers

    def _step(self, gradients: list[Floats], rate: float) -> None:
        """Make a step of Adam."""
        length = float(np.sqrt(sum(np.vdot(one, one) for one in gradients)))
        shorter = np.float32(min(1.0, MAX_GRADIENT / (length + _TINY)))
        slow, slower = FORGETTING
        self._steps += 1
        rate *= np.sqrt(1 - slower**self._steps) / (1 - slow**self._steps)
        parts = [*self.weights, *self.biases]
        for part, gradient, mean, square in zip(
            parts, gradients, self._means, self._squares, strict=True
        ):
            gradient *= shorter
            mean += np.float32(1 - slow) * (gradient - mean)
            square += np.float32(1 - slower) * (gradient * gradient - square)
            part -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(_TINY))


def probabilities(preferences: Floats, masks: Masks) -> Floats:
    """Return how likely each action is chosen, row by row: never one that is not legal."""
    powers = np.where(masks > 0, preferences, np.float32(-1e9))
    powers = np.exp(powers - powers.max(axis=1, keepdims=True))
    result: Floats = powers / powers.sum(axis=1, keepdims=True)
    return result
