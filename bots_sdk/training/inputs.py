"""One input for all numbers of seats, so that one network plays at every table of a game.

An observation is longer the more sit at the table. Each of its groups goes to the place that the
group has at the largest table; the rest stays zero. A flag tells how many there are.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bots_sdk.rl import GemEnv
from bots_sdk.rl.encoding import Encoding
from engine.registry import GAMES

Places = NDArray[np.int16]
"""For each number of an observation, its place among the inputs; then the place of the flag."""


class Inputs:
    """Where the numbers of observations go."""

    def __init__(self, game: str, encoding: Encoding) -> None:
        layouts = {
            seats: GemEnv(game, seats, encoding=encoding).layout() for seats in GAMES[game].seats
        }
        largest = layouts[max(layouts)]
        length = max(group.stop for group in largest.values())
        self.places: Mapping[int, Places] = {
            seats: _places(layout, largest, length + flag)
            for flag, (seats, layout) in enumerate(layouts.items())
        }
        """By the number of seats."""
        self.size = length + len(layouts)

    def write(self, row: NDArray[np.float32], observation: NDArray[np.float32], seats: int) -> None:
        """Write an observation into a row of zeros."""
        places = self.places[seats]
        row[places[:-1]] = observation
        row[places[-1]] = 1


def _places(layout: Mapping[str, slice], largest: Mapping[str, slice], flag: int) -> Places:
    places = [
        largest[name].start + offset
        for name, group in layout.items()
        for offset in range(group.stop - group.start)
    ]
    return np.array([*places, flag], np.int16)
