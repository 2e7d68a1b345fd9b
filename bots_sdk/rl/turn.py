"""A decision as a policy meets it: observations and masks from a view. Runs inside the box.

For the same seat of the same match they are exactly those of the environment.
"""

import numpy as np

from bots_sdk.rl.legal import PartialMove

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from bots_sdk.bot import View
    from bots_sdk.rl.encoding import Encoding

    Observation = dict[str, NDArray[Any]]
    Policy = Callable[[NDArray[Any], NDArray[Any]], int]
    """Returns the number of an action for an observation and a mask of the legal actions."""


FLOAT, BYTE = np.dtype(np.float32), np.dtype(np.int8)


class Turn:
    """One decision of a bot, said action by action until `move` is complete."""

    def __init__(self, encoding: "Encoding", view: "View", options: "Sequence[str]") -> None:
        self.move: str | None = None
        """The move to return, once the last of its actions is said."""
        self._encoding = encoding
        self._features = encoding.encode(view)
        self._partial = PartialMove(encoding, options, view["seat"], len(view["seats"]))

    def observe(self) -> "Observation":
        """Return what the environment's `observe` returns: `observation` and `action_mask`."""
        said = self._encoding.encode_prefix(self._partial.prefix)
        return as_observation(said + self._features, self._partial.legal.mask)

    def act(self, action: int) -> None:
        """Say an action; `ValueError` names the legal ones if it is none of them."""
        if self.move is not None:
            raise ValueError(f"the move {self.move!r} is complete; return it")
        self.move = self._partial.say(action)


def choose_move(
    encoding: "Encoding", view: "View", options: "Sequence[str]", policy: "Policy"
) -> str:
    """Return the move that a policy chooses, asked for one action after another."""
    turn = Turn(encoding, view, options)
    while turn.move is None:
        seen = turn.observe()
        turn.act(policy(seen["observation"], seen["action_mask"]))
    return turn.move


def as_observation(numbers: bytes, mask: bytes) -> "Observation":
    """Return numbers and mask as arrays that belong to the caller."""
    return {
        "observation": np.frombuffer(bytearray(numbers), FLOAT),
        "action_mask": np.frombuffer(bytearray(mask), BYTE),
    }
