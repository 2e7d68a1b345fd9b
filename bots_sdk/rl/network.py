"""A small network that chooses actions, run fast with numpy alone. Runs inside the box.

It is made of what `bots_sdk.training` writes: a file for each layer, with a row of weights for each
input and a last row of biases, and for each number of seats which inputs an observation has.
"""

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

    Array = NDArray[Any]

_NEVER = np.float32(-np.inf)
_FLOAT = np.dtype(np.float32)


class Network:
    """Layers of weights and biases: what comes out is what it thinks of each action."""

    def __init__(self, layers: "Sequence[Array]") -> None:
        """Take the layers in any precision; it computes with 32-bit floats."""
        self._layers = [(layer[:-1].astype(_FLOAT), layer[-1].astype(_FLOAT)) for layer in layers]

    @classmethod
    def load(cls, folder: "Path", seats: int) -> "Network":
        """Return the network in a folder, for tables with so many seats."""
        layers = [
            np.load(folder / f"layer{number}.npy", mmap_mode="r")
            for number in range(1, 1 + len([*folder.glob("layer*.npy")]))
        ]
        first, inputs = layers[0], np.load(folder / f"inputs{seats}.npy")
        # The last of the inputs tells the number of seats: always 1, like that of the biases.
        layers[0] = np.vstack((first[inputs[:-1]], first[inputs[-1]] + first[-1]))
        return cls(layers)

    def judge(self, observation: "Array") -> "Array":
        """Return what it thinks of each action: one product of matrices for a layer."""
        *hidden, (weights, biases) = self._layers
        values = observation
        for layer_weights, layer_biases in hidden:
            values = values @ layer_weights
            values += layer_biases
            np.maximum(values, 0, out=values)
        return values @ weights + biases

    def choose(self, observation: "Array", mask: "Array") -> int:
        """Return the number of the legal action that it likes best: a policy for `choose_move`."""
        return int(np.where(mask, self.judge(observation), _NEVER).argmax())
