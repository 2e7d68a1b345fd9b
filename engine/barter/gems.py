"""Gem vectors packed in one int: five bits a colour, red highest.

There are 22 gems of a colour, so five bits always suffice; sums and differences of packed vectors
are plain `+` and `-` as long as no colour goes below zero, which `fits` tells.
"""

from functools import lru_cache

COLOURS = "RYGB"
NAMES = ("red", "yellow", "green", "blue")
VALUE = (14, 12, 10, 8)
PER_COLOUR = 22

ONE = (1 << 15, 1 << 10, 1 << 5, 1)
SHIFT = (15, 10, 5, 0)
INDEX = {letter: index for index, letter in enumerate(COLOURS)}

_BORROWS = 1 << 5 | 1 << 10 | 1 << 15
_PAIR_SUM = [(pair >> 5) + (pair & 31) for pair in range(1 << 10)]


def pack(vector: list[int] | tuple[int, ...]) -> int:
    """Return the packed form of four counts."""
    red, yellow, green, blue = vector
    return red << 15 | yellow << 10 | green << 5 | blue


def unpack(gems: int) -> list[int]:
    """Return the four counts `[R, Y, G, B]`."""
    return [gems >> 15, gems >> 10 & 31, gems >> 5 & 31, gems & 31]


def same(count: int) -> int:
    """Return the vector with as many gems of every colour."""
    return count * (1 << 15 | 1 << 10 | 1 << 5 | 1)


def size(gems: int) -> int:
    """Return how many gems there are."""
    return _PAIR_SUM[gems >> 10] + _PAIR_SUM[gems & 1023]


def fits(part: int, whole: int) -> bool:
    """Return whether no colour of `part` exceeds that of `whole`."""
    rest = whole - part
    # Bit 5, 10 or 15 of a ^ b ^ (a - b) is set exactly where a lower colour had to borrow.
    return rest >= 0 and not (whole ^ part ^ rest) & _BORROWS


def common(a: int, b: int) -> int:
    """Return the smaller count of each colour: what can be taken of `a` if only `b` is there."""
    # As in `fits`, without the call: nearly always there is enough.
    rest = b - a
    if rest >= 0 and not (a ^ b ^ rest) & _BORROWS:
        return a
    return pack([min(x, y) for x, y in zip(unpack(a), unpack(b), strict=True)])


@lru_cache(maxsize=1 << 14)
def letters(gems: int) -> str:
    """Return the colours there are, in rank order: `RGB`."""
    return "".join(COLOURS[c] for c in range(4) if gems >> SHIFT[c] & 31)
