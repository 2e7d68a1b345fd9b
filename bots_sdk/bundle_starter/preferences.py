"""What MyBot likes: a number for each kind of move, the higher the better."""

import json
from collections.abc import Sequence
from random import Random
from typing import BinaryIO

TRIES = 8


class Preferences:
    """The numbers of the data file."""

    def __init__(self, values: dict[str, float]) -> None:
        self._values = values

    @classmethod
    def read(cls, file: BinaryIO) -> "Preferences":
        """Return the preferences in a JSON file."""
        return cls(json.load(file))

    def value(self, move: str) -> float:
        """Return how much a move is liked, by its first word."""
        return self._values.get(move.partition(" ")[0], 0.0)

    def choose(self, options: Sequence[str], rng: Random) -> str:
        """Return the best of a few moves drawn by chance: there may be too many to look at all."""
        moves = [rng.choice(options) for _ in range(TRIES)]
        return max(moves, key=self.value)
