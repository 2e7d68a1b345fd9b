"""The one source of chance in a match.

Only `getrandbits` of `random.Random(text)` is used, with rejection: its stream is the same on every
Python version, so a record made today verifies on the Python of next year.
"""

from random import Random
from typing import Any

_PLACES = [[(i, (i + 1).bit_length()) for i in range(n - 1, 0, -1)] for n in range(64)]
"""For a pile of n cards: each place from the last one down, and the bits to draw for it."""


class Rng:
    """A generator seeded with a text."""

    __slots__ = ("bits",)

    def __init__(self, seed: str) -> None:
        self.bits = Random(seed).getrandbits

    def clone(self) -> "Rng":
        """A generator that goes on like this one, by itself."""
        twin, chance = Rng(""), Random()
        chance.setstate(self.bits.__self__.getstate())  # type: ignore[attr-defined]
        twin.bits = chance.getrandbits
        return twin

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, all equally likely."""
        bits = self.bits
        width = n.bit_length()
        value = bits(width)
        while value >= n:
            value = bits(width)
        return value

    def shuffle(self, items: list[Any]) -> None:
        """Fisher and Yates, from the last place down."""
        bits = self.bits
        for i, width in _PLACES[len(items)]:
            j = bits(width)
            while j > i:
                j = bits(width)
            items[i], items[j] = items[j], items[i]
