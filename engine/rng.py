"""The one source of chance in a match.

Only `getrandbits` of `random.Random(text)` is used, with rejection: its stream is the same on every
Python version, so a record made today verifies on the Python of next year.
"""

from functools import cache
from random import Random
from typing import TypeVar

T = TypeVar("T")


@cache
def _places(n: int) -> list[tuple[int, int]]:
    """Return, for a pile of n cards, each place from the last down and the bits to draw for it."""
    return [(i, (i + 1).bit_length()) for i in range(n - 1, 0, -1)]


class Rng:
    """A generator seeded with a text."""

    __slots__ = ("bits",)

    def __init__(self, seed: str) -> None:
        self.bits = Random(seed).getrandbits

    def clone(self) -> "Rng":
        """Return a generator that goes on like this one, independently."""
        twin, chance = Rng(""), Random()
        chance.setstate(self.bits.__self__.getstate())  # type: ignore[attr-defined]
        twin.bits = chance.getrandbits
        return twin

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1, all equally likely."""
        bits = self.bits
        width = n.bit_length()
        value = bits(width)
        while value >= n:
            value = bits(width)
        return value

    def shuffle(self, items: list[T]) -> None:
        """Shuffle in place (Fisher and Yates), from the last place down."""
        bits = self.bits
        for i, width in _places(len(items)):
            j = bits(width)
            while j > i:
                j = bits(width)
            items[i], items[j] = items[j], items[i]
