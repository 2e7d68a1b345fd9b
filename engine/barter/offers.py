"""The offers of a barter: their text, their order, and all legal ones as a lazy sequence.

An offer is known by its key, `count << 20 | gems`: more gems beat fewer, and among equally many the
one with more red, then yellow, green, blue wins, so *higher* is simply `>`. A hand of 88 gems has a
quarter of a million offers and a common one several hundred: nobody lists them unless they ask to.

This module also runs inside the box of a bot: it imports nothing of ours.
"""

from itertools import accumulate
from operator import index as as_int, sub

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = "offer "
_KEEP = 1 << 15
"""How many hands are remembered."""
_KEEP_PARTS = 1 << 24
"""How many parts in all; the largest hand alone has a quarter of a million."""
_SIZES = 90
_RED_FOR_YELLOW = (1 << 15) - (1 << 10)
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
_Sizes = tuple[_Counts, _Counts, bytes]
"""How many parts of a hand have fewer than k gems and how many at most k, and the size of each."""
_Ranking = tuple[_Counts, _Counts, _Counts, _Counts, bytes, int, int]
_Picking = tuple[_Counts, _Counts, _Counts, bytes, bytes, _Counts]
_Hand = tuple[int, _Ranking, _Picking]
"""The number of parts of a hand, the empty one included; what a rank and what a pick follows from.

`fewer[k]` says how many parts have fewer than k gems, `but_red[k]` how many without a red one have
at most k; of these `with_yellow[k]` have a yellow one and `green_blue[k]` have none. They go on,
constant, to the size of the largest offer.
"""


class _SizesOfHands(dict[_Counts, _Sizes]):
    """The sizes of the parts of hands, by how many gems these have of each colour.

    Which colours makes no difference. So the numbers are looked up in order, and few tables serve
    all hands: they stay in the processor's cache, and soon none has to be worked out any more.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew: only a hand without gems is known."""
        self.clear()
        self.parts = 1
        self[()] = (0, *(1,) * _SIZES), (1,) * _SIZES, b"\0"

    def __missing__(self, most: _Counts) -> _Sizes:
        *others, last = most
        sums = tuple(accumulate(self[tuple(others)][1]))
        # Every part of the others is joined by 0 to `last` gems.
        counts = tuple(map(sub, sums, (0,) * (last + 1) + sums))
        of_size = map(sub, counts, (0, *counts))
        sizes = b"".join(bytes((size,)) * count for size, count in enumerate(of_size))
        self.parts += len(sizes)
        known = self[most] = (0, *counts), counts, sizes
        return known

    def of(self, *colours: int) -> _Sizes:
        """Return the sizes of a hand with so many gems of some colours."""
        return self[tuple(sorted(colours))]


class _Parts(dict[int, tuple[_Counts, bytes]]):
    """The parts of hands of green and blue gems by size, each size from high to low.

    A part is noted as what it lacks beside as many yellow gems. Then, for every offer of green and
    blue gems, how many parts of its size are not higher.
    """

    def __missing__(self, gems: int) -> tuple[_Counts, bytes]:
        greens, blues = range((gems >> 5) + 1), range((gems & 31) + 1)
        parts = sorted((g + b << 10) - (g << 5 | b) for g in greens for b in blues)
        both = self[gems] = tuple(parts), b"".join(_ranks(gems >> 5, gems & 31))
        return both


def _ranks(most_green: int, most_blue: int) -> "Iterator[bytes]":
    """Yield, for every number of green gems in an offer, its ranks by the number of blue ones."""
    for green in range(32):
        # With no more green gems than offered; one fewer for each blue gem too many.
        highest = min(green, most_green) + 1
        enough, short = most_blue - green + 1, bytes(range(highest - 1, 0, -1)) + bytes(64)
        yield (bytes((highest,)) * enough + short[max(0, -enough) :])[:32]


class _Yellow(dict[_Counts, _Counts]):
    """How many parts of at most k gems have a yellow one but no red one, like `_SizesOfHands`."""

    def __missing__(self, most: _Counts) -> _Counts:
        _, counts, _ = _sizes.of(*most)
        _, without, _ = _sizes.of(*most[1:])
        some = self[most] = tuple(map(sub, counts, without))
        return some


class _Hands(dict[int, _Hand]):
    """What is known of hands, worked out when one is first looked up."""

    def __missing__(self, own: int) -> _Hand:
        if len(self) >= _KEEP or _sizes.parts > _KEEP_PARTS:
            self.clear()
            _yellow.clear()
            _sizes.forget()
        red, yellow, green, blue = own >> 15, own >> 10 & 31, own >> 5 & 31, own & 31
        fewer, _, sizes = _sizes.of(red, yellow, green, blue)
        _, but_red, sizes_but_red = _sizes.of(yellow, green, blue)
        _, green_blue, _ = _sizes.of(green, blue)
        with_yellow = _yellow[yellow, min(green, blue), max(green, blue)]
        parts, ranks = _parts[own & 0x3FF]
        ranking = fewer, but_red, with_yellow, green_blue, ranks, red, yellow
        picking = fewer, but_red, with_yellow, sizes, sizes_but_red, parts
        hand = self[own] = len(sizes), ranking, picking
        return hand


_sizes = _SizesOfHands()
_parts = _Parts()
_yellow = _Yellow()
_hands = _Hands()


def _rank(ranking: _Ranking, key: int) -> int:
    """Return how many parts of a hand, the empty one included, are not higher than this offer.

    The offer need not be a part of the hand: it is the other seat's.
    """
    fewer, but_red, with_yellow, green_blue, ranks, most_red, most_yellow = ranking
    # Fewer gems; then of the same size, colour by colour, equal so far and fewer of this one.
    size = key >> 20
    red = key >> 15 & 31
    if red > most_red:
        return fewer[size] + but_red[size] - but_red[size - most_red - 1]
    left = size - red
    yellow = key >> 10 & 31
    rank = fewer[size] + but_red[size] - with_yellow[left]
    if yellow > most_yellow:
        return rank - green_blue[left - most_yellow - 1]
    return rank - green_blue[left - yellow] + ranks[key & 1023]


_UNREAD = object()
"""Nobody can say this: neither None nor a text would do."""


class Offers:
    """Word moves first, then every offer of `own` above the standing one, from low to high.

    `last` is the offer that was read last, the one most likely to come back; its key is `last_key`.
    """

    __slots__ = (
        *("first", "own", "above", "count", "last", "last_key"),
        *("_picking", "_skip", "_words"),
    )

    last_key: int

    def __init__(self, first: tuple[str, ...], own: int, above: int = 0) -> None:
        self.first = first
        self.own = own
        self.above = above
        self.last: object = _UNREAD
        total, ranking, self._picking = _hands[own]
        self._words = words = len(first)
        # From an index to a rank among all parts of the hand, the empty one included.
        self._skip = skip = (_rank(ranking, above) if above else 1) - words
        self.count = total - skip

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> str:
        # An author may slice; the type says int because that is what the contract promises.
        if type(index) is not int or not self._words <= index < self.count:
            return self._get(index)
        fewer, but_red, with_yellow, sizes, sizes_but_red, parts = self._picking
        rank = self._skip + index
        size = sizes[rank]
        # With r red gems the others have the rest: among the parts without red ones, counting
        # from the end of this size, the rank falls in the share of r. What is left of it tells
        # the other colours.
        rank = but_red[size] + fewer[size] - rank - 1
        left = sizes_but_red[rank]
        gems = (size << 15) - left * _RED_FOR_YELLOW - parts[rank - with_yellow[left]]
        self.last_key = size << 20 | gems
        self.last = text = _RED_YELLOW[gems >> 10] + _PAIRS[gems & 1023]
        return text

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
        if move is self.last:
            return True
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
