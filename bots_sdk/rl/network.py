"""A small network that chooses actions, run fast with numpy alone. Runs inside the box.

It is made of what `bots_sdk.training` writes: a file for each layer, with a row of weights for each
input and a last row of biases, and for each number of seats which inputs an observation has.
"""

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    Array = NDArray[Any]

_NEVER = np.float32(-np.inf)
_FLOAT = np.dtype(np.float32)


class Network:
    """Layers of weights and biases: what comes out is what it thinks of each action."""

    def __init__(self, layers: "Sequence[Array]", inputs: "Array | None" = None) -> None:
        """Take the layers in any precision; it computes with 32-bit floats.

        `inputs` are the places of an observation's numbers among the inputs of the first layer, and
        then the place of the one that tells how many sit at the table; by default they are all.
        """
        first, *others = layers
        if inputs is not None:
            # That one is always 1 at this table, as is what the biases are multiplied by.
            first = np.vstack((first[inputs[:-1]], first[inputs[-1]] + first[-1]))
        self._layers = [
            (layer[:-1].astype(_FLOAT), layer[-1].astype(_FLOAT)) for layer in (first, *others)
        ]

    def judge(self, observation: "Array") -> "Array":
        """Return what it thinks of each action: one product of matrices for a layer."""
        *hidden, (weights, biases) = self._layers
        values: Array = observation
        for layer_weights, layer_biases in hidden:
            values = values @ layer_weights
            values += layer_biases
            np.maximum(values, 0, out=values)
        values = values @ weights
        values += biases
        return values

    def choose(self, observation: "Array", mask: "Array") -> int:
        """Return the number of the legal action that it likes best: a policy for `choose_move`."""
        return int(np.where(mask, self.judge(observation), _NEVER).argmax())
