"""Offers as values: counted, added, compared by the rule of the barter. Runs inside the box."""

from engine.barter.offers import NO_OFFER, offer_key, offer_text, parse_offer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COLOURS = "RYGB"
"""Red is worth most, blue least."""
_GEMS = 0xFFFFF
_SHIFT = {"R": 15, "Y": 10, "G": 5, "B": 0, 0: 15, 1: 10, 2: 5, 3: 0}
_MAX_COUNT = 31


class Offer:
    """Some gems of each colour: an offer, a hand, or the difference of the two.

    `Offer(1, 0, 2, 0)` is one red and two green gems; its text is the move `offer 1.0.2.0`. The
    higher of two offers has more gems or, among equally many, more red, then yellow, then green.
    """

    __slots__ = ("key",)

    key: int
    """A number that orders offers as the rule does."""

    def __init__(self, red: int = 0, yellow: int = 0, green: int = 0, blue: int = 0) -> None:
        counts = (red, yellow, green, blue)
        if not 0 <= min(counts) <= max(counts) <= _MAX_COUNT:
            raise ValueError(f"each colour needs a count from 0 to {_MAX_COUNT}, not {counts}")
        self.key = offer_key(red << 15 | yellow << 10 | green << 5 | blue)

    @classmethod
    def of(cls, gems: "Sequence[int]") -> "Offer":
        """Return the offer of a gem vector as views have it: `Offer.of(view.me.gems)`."""
        red, yellow, green, blue = gems
        return cls(red, yellow, green, blue)

    @classmethod
    def parse(cls, text: str) -> "Offer":
        """Return the offer of a move, `offer 1.0.2.0` or only `1.0.2.0`."""
        key = parse_offer(text if text.startswith("offer ") else f"offer {text}")
        if key == NO_OFFER:
            raise ValueError(f"{text!r} is not an offer; write four counts, such as '1.0.2.0'")
        return cls._from_key(key)

    @classmethod
    def cheapest(cls, gems: "Sequence[int]", count: int) -> "Offer | None":
        """Return the lowest offer of so many gems out of a hand; None if the hand has fewer."""
        gems_offered = [0, 0, 0, 0]
        for colour in (3, 2, 1, 0):
            gems_offered[colour] = min(count, gems[colour])
            count -= gems_offered[colour]
        return None if count else cls.of(gems_offered)

    @classmethod
    def _from_key(cls, key: int) -> "Offer":
        offer = cls.__new__(cls)
        offer.key = key
        return offer

    @property
    def count(self) -> int:
        """How many gems it has."""
        return self.key >> 20

    @property
    def gems(self) -> list[int]:
        """The four counts, `[R, Y, G, B]`."""
        return list(self)

    def fits(self, hand: "Offer | Sequence[int]") -> bool:
        """Tell whether a hand has all these gems."""
        return all(have >= need for need, have in zip(self, hand, strict=True))

    def __getitem__(self, colour: str | int) -> int:
        try:
            return self.key >> _SHIFT[colour] & 31
        except KeyError:
            raise IndexError(f"{colour!r} is no colour; there are R, Y, G, B or 0 to 3") from None

    def __iter__(self) -> "Iterator[int]":
        key = self.key
        return iter((key >> 15 & 31, key >> 10 & 31, key >> 5 & 31, key & 31))

    def __add__(self, other: "Offer") -> "Offer":
        return Offer.of([a + b for a, b in zip(self, other, strict=True)])

    def __sub__(self, other: "Offer") -> "Offer":
        if not other.fits(self):
            raise ValueError(f"{other!r} has gems that {self!r} lacks; ask `fits` first")
        return Offer._from_key(offer_key((self.key & _GEMS) - (other.key & _GEMS)))

    def __lt__(self, other: "Offer") -> bool:
        return self.key < other.key

    def __le__(self, other: "Offer") -> bool:
        return self.key <= other.key

    def __gt__(self, other: "Offer") -> bool:
        return self.key > other.key

    def __ge__(self, other: "Offer") -> bool:
        return self.key >= other.key

    def __eq__(self, other: object) -> bool:
        # Equal to its text as well, so that `offer in options` is what it looks like.
        if isinstance(other, str):
            return str(self) == other
        return self.key == other.key if isinstance(other, Offer) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __bool__(self) -> bool:
        return self.key > 0

    def __str__(self) -> str:
        return offer_text(self.key)

    def __repr__(self) -> str:
        return f"Offer({', '.join(map(str, self))})"
