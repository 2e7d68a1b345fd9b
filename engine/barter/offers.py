"""The offers of a barter: their text, their order, and all legal ones as a lazy sequence.

An offer is known by its key, `count << 20 | gems`: more gems beat fewer, and among equally many the
one with more red, then yellow, green, blue wins, so *higher* is simply `>`. A hand of 88 gems has a
quarter of a million offers and a common one several hundred: nobody lists them unless they ask to.

This module also runs inside the box of a bot: it imports nothing of ours.
"""

from bisect import bisect_left, bisect_right
from itertools import accumulate
from operator import index as as_int, sub

_WORD = "offer "
_KEEP = 1 << 15
"""How much is remembered of each kind; a hand of 88 gems alone would have more offers."""
_SIZES = 90
NO_OFFER = -1
"""The key of a text that is no offer."""


def offer_key(gems: int) -> int:
    """Return the rank of an offer of these packed gems."""
    return ((gems >> 15) + (gems >> 10 & 31) + (gems >> 5 & 31) + (gems & 31)) << 20 | gems


_PAIRS = [f"{pair >> 5}.{pair & 31}" for pair in range(1 << 10)]
_RED_YELLOW = [f"{_WORD}{pair}." for pair in _PAIRS]
_COUNTS = {str(count): count for count in range(32)}


def offer_text(key: int) -> str:
    """Return `offer 1.0.2.0`."""
    return _RED_YELLOW[key >> 10 & 1023] + _PAIRS[key & 1023]


def parse_offer(text: str) -> int:
    """Return the key of `offer 1.0.2.0`; `NO_OFFER` if the text is not exactly of that form."""
    counts = text[len(_WORD) :].split(".", 4) if text.startswith(_WORD) else ()
    if len(counts) != 4 or not all(map(_COUNTS.__contains__, counts)):
        return NO_OFFER
    red, yellow, green, blue = map(_COUNTS.__getitem__, counts)
    return offer_key(red << 15 | yellow << 10 | green << 5 | blue)


_Counts = tuple[int, ...]
_Hand = tuple[_Counts, _Counts, _Counts, _Counts, int, int]
"""How many parts of a hand of gems there are, by their size.

`all4[k]` counts the parts with fewer than k gems; `all3` the same without the red gems, `all2`
without red and yellow (these two go on, constant, to the size of the largest offer). Then the parts
without red and yellow themselves, the size of the hand and the number of all its parts.
"""


class _Hands(dict[int, _Hand]):
    """What is known of hands, worked out when one is first looked up."""

    def __missing__(self, own: int) -> _Hand:
        if len(self) >= _KEEP:
            self.clear()
        size = offer_key(own) >> 20
        all3, sums3 = _counts(own & 0x7FFF, 10)
        all2, _ = _counts(own & 0x3FF, 5)
        all4 = _joined(sums3, own >> 15, size + 2)
        hand = self[own] = all4, all3, all2, _parts[own & 0x3FF], size, all4[-1]
        return hand


class _Parts(dict[int, _Counts]):
    """The parts of hands of green and blue gems by size, each size from high to low.

    The first has the index 1. A part lacks one gem and its own size in yellow: whoever adds the
    gems that are not red, plus one, as yellow has the offer.
    """

    def __missing__(self, gems: int) -> _Counts:
        sizes_and_parts = sorted(
            (green + blue, -green, green << 5 | blue)
            for green in range((gems >> 5) + 1)
            for blue in range((gems & 31) + 1)
        )
        parts = self[gems] = (
            0,
            *(part - (size + 1 << 10) for size, _, part in sizes_and_parts),
        )
        return parts


_hands = _Hands()
_parts = _Parts()
_tables: dict[int, tuple[_Counts, _Counts]] = {}


def _counts(gems: int, shift: int) -> tuple[_Counts, _Counts]:
    """Return the counts of a hand whose highest colour lies at `shift`, and their sums so far."""
    tables = _tables.get(gems)
    if tables is None:
        if shift == 0:
            counts = tuple(min(k, gems + 1) for k in range(_SIZES))
        else:
            _, sums = _counts(gems & ((1 << shift) - 1), shift - 5)
            counts = _joined(sums, gems >> shift, _SIZES)
        tables = _tables[gems] = counts, tuple(accumulate(counts))
    return tables


def _joined(sums: _Counts, most: int, length: int) -> _Counts:
    """Return the counts with one colour more: every part is joined by 0 to `most` gems of it."""
    return tuple(map(sub, sums[:length], (0,) * (most + 1) + sums[:length]))


def _rank(hand: _Hand, own: int, key: int) -> int:
    """Return how many parts of `own`, the empty one included, are not higher than this offer.

    The offer need not be a part of `own`: it is the other seat's.
    """
    all4, all3, all2, _, size, total = hand
    left = (key >> 20) + 1
    if left > size + 1:
        return total
    # Fewer gems; then of the same size, colour by colour, equal so far and fewer of this one.
    red = key >> 15 & 31
    if red > own >> 15:
        return all4[left - 1] + all3[left] - all3[left - (own >> 15) - 1]
    but_red = left - red
    rank = all4[left - 1] + all3[left] - all3[but_red]
    yellow = key >> 10 & 31
    if yellow > own >> 10 & 31:
        return rank + all2[but_red] - all2[but_red - (own >> 10 & 31) - 1]
    left = but_red - yellow
    # Green and blue together have left - 1 gems; not more of them green than offered.
    most, green = own >> 5 & 31, key >> 5 & 31
    if green < most:
        most = green
    least = left - 1 - (own & 31)
    rank += all2[but_red] - all2[left]
    if least < 0:
        return rank + most + 1
    return rank + most - least + 1 if most >= least else rank


class Offers:
    """Word moves first, then every offer of `own` above the standing one, from low to high."""

    __slots__ = ("_hand", "_key", "_skip", "_text", "above", "count", "first", "own")

    def __init__(self, first: tuple[str, ...], own: int, above: int = 0) -> None:
        self.first = first
        self.own = own
        self.above = above
        self._hand = hand = _hands[own]
        # From an index to a rank among all parts of the hand, the empty one included.
        self._skip = skip = (_rank(hand, own, above) if above else 1) - len(first)
        self.count = hand[5] - skip
        self._text: str | None = None

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> str:
        # An author may slice; the type says int because that is what the contract promises.
        if type(index) is not int or not len(self.first) <= index < self.count:
            return self._get(index)
        all4, all3, all2, parts, _, _ = self._hand
        rank = self._skip + index
        # So many gems that there are more parts up to this size than the rank.
        size = bisect_right(all4, rank)
        # With r red gems the others have the rest: find the r in whose share the rank falls,
        # counting from the end of the shares. What is left of the rank tells the other colours.
        rank = all3[size] + all4[size - 1] - rank
        but_red = bisect_left(all3, rank, 0, size)
        part = parts[rank + all2[but_red] - all3[but_red]]
        gems = (size - but_red << 15) + (but_red << 10) + part
        self._key = size - 1 << 20 | gems
        self._text = text = _RED_YELLOW[gems >> 10] + _PAIRS[gems & 1023]
        return text

    def key(self, move: str) -> int:
        """Return the key of an offer. The one read last is the one most likely to come back."""
        return self._key if move is self._text else parse_offer(move)

    def _get(self, index: int) -> str:
        """Return what Python expects of an index: from the end, a slice, a word, out of range."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self.count))]
        index = as_int(index)
        if not -self.count <= index < self.count:
            raise IndexError(f"there are {self.count} options, numbered from 0")
        if index < 0:
            index += self.count
        return self.first[index] if index < len(self.first) else self[index]

    def __contains__(self, move: object) -> bool:
        if move is self._text:
            return move is not None
        if move in self.first:
            return True
        # An author's offer is a value of its own and as good as its text.
        key = parse_offer(move if isinstance(move, str) else str(move))
        if key <= self.above:
            return False
        own = self.own
        rest = own - (key & 0xFFFFF)
        # Where a colour had to borrow from the next one, the hand has too few of it.
        return rest >= 0 and not (own ^ key ^ rest) & 0x8420

    def __iter__(self) -> "map[str]":
        return map(self.__getitem__, range(len(self)))

    def __repr__(self) -> str:
        first = ", ".join(repr(self[i]) for i in range(min(3, len(self))))
        return f"<{len(self)} options: {first}{', …' if len(self) > 3 else ''}>"
