"""What the two barter games share in reinforcement learning: how offers are said, what is seen.

Runs inside the box. Gems are packed ints here, whether they are read from a view or a position.
"""

from functools import lru_cache

from bots_sdk.rl.encoding import Actions
from bots_sdk.rl.features import MAX_FEATURE, many_hot, one_hot, scaled, seats_from
from bots_sdk.rl.legal import Legal
from bots_sdk.rl.lookups import Groups, Lookup, LookupEncoding, Values
from engine.barter.gems import PER_COLOUR, SHIFT, pack, size, unpack
from engine.barter.offers import Offers, offer_key, offer_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from engine.barter.table import Barter, Table
    from engine.game import Options, Seat, View

    Catalogue = Mapping[str, Mapping[str, Any]]

COUNTS = tuple(f"count {count}" for count in range(PER_COLOUR + 1))
DECISIONS = ("CHOOSE_ACTION", "BARTER_OPEN", "BARTER_REPLY", "FREE_TRADE", "FREE_PICK")
WORTH = 100
"""What winners own is about this much."""
ROUNDS = 8
_OFFERS = 60
_ON_A_CARD = {"money": 7, "points": 7, "workers": 4}
"""The most of each that a card shows."""
_COUNT = {action: count for count, action in enumerate(COUNTS)}
_GEMS = 0xFFFFF
_LAST_COLOUR = len(SHIFT) - 1
_NO_BARTER = (None, (), None, None, 0, 0)

ROUND = Lookup(lambda number: [number / ROUNDS])
GEMS = Lookup(lambda gems: scaled(unpack(gems), PER_COLOUR))
WEALTH = Lookup(lambda worth: [worth / WORTH])


class BarterEncoding(LookupEncoding):
    """Says an offer as four counts."""

    def next_actions(
        self, options: "Options", prefix: Actions, seat: "Seat", seats: int
    ) -> dict[str, str | None]:
        """Return what can be said next, without listing the offers."""
        if not isinstance(options, Offers):
            return super().next_actions(options, prefix, seat, seats)
        moves = self.legal(options, prefix, seat, seats).moves
        return {self.actions[number]: move for number, move in moves.items()}

    def legal(self, options: "Options", prefix: Actions, seat: "Seat", seats: int) -> Legal:
        """Return the actions that can be said next, without listing the offers."""
        if not isinstance(options, Offers):
            return super().legal(options, prefix, seat, seats)
        others, least, most = _next_counts(options, prefix)
        if len(prefix) == _LAST_COLOUR:
            return self._last_counts(others, least, most)
        return self._counts(() if prefix else options.first, least, most)

    @lru_cache(maxsize=1 << 12)  # noqa: B019  an encoding lives as long as its process
    def _counts(self, words: Actions, least: int, most: int) -> Legal:
        """Return the words and counts that a move can go on with."""
        moves: dict[int, str | None] = {self.number[word]: word for word in words}
        moves |= dict.fromkeys(self._numbers(least, most))
        return Legal(len(self.actions), moves)

    @lru_cache(maxsize=1 << 14)  # noqa: B019
    def _last_counts(self, others: int, least: int, most: int) -> Legal:
        """Return the counts of blue that complete an offer with these other gems."""
        texts = (offer_text(offer_key(others | count)) for count in range(least, most + 1))
        return Legal(len(self.actions), dict(zip(self._numbers(least, most), texts, strict=True)))

    def _numbers(self, least: int, most: int) -> range:
        first = self.number[COUNTS[0]]
        return range(first + least, first + most + 1)

    def spell(self, move: str, seat: "Seat", seats: int) -> Actions:
        """Return the actions of a move that both games have."""
        word, _, rest = move.partition(" ")
        if word == "offer":
            return tuple(f"count {count}" for count in rest.split("."))
        if word == "pick":
            return (rest,)
        if word == "trade":
            return tuple(rest.replace(" ", ""))
        return (move,)


def _next_counts(offers: Offers, prefix: Actions) -> tuple[int, int, int]:
    """Return the least and the most gems of the next colour that reach a legal offer.

    That is with all gems of the later colours and with those said of the earlier ones, which come
    first.
    """
    own = offers.own
    shift = SHIFT[len(prefix)]
    others = own & (1 << shift) - 1
    if prefix:
        others |= _gems_said(prefix)
    # With so many gems of this colour the offer has as many gems as the one on the table.
    least = (offers.above >> 20) - size(others)
    if least < 0:
        least = 0
    elif others | least << shift <= offers.above & _GEMS:
        least += 1
    return others, least, own >> shift & 31


@lru_cache(maxsize=1 << 14)
def _gems_said(prefix: Actions) -> int:
    return sum(_COUNT[part] << shift for part, shift in zip(prefix, SHIFT, strict=False))


def barter_groups(seat: "Seat", seats: int, actions: "Sequence[str]") -> Groups:
    """Return the groups of the barter that is going on; all zeros without one."""
    order = seats_from(seat, seats)
    one_seat = Lookup(lambda other: one_hot(other, order))
    some_seats = Lookup(lambda others: many_hot(others, order))
    return [
        ("barter action", Lookup(lambda action: one_hot(action, actions))),
        ("barter seats", some_seats),
        ("barter opener", one_seat),
        ("barter to answer", one_seat),
        ("barter offer", GEMS),
        ("barter offers", Lookup(lambda offers: [min(offers / _OFFERS, MAX_FEATURE)])),
        ("still picking", some_seats),
    ]


def read_barter(view: "View") -> Values:
    """Return the values of those groups."""
    barter = view["barter"]
    picking = tuple(view["picking"])
    if barter is None:
        return [*_NO_BARTER, picking]
    seats, offer = tuple(barter["seats"]), pack(barter["offer"]) if barter["offer"] else 0
    who = (barter["action"], seats, barter["opener"], barter["to_answer"])
    return [*who, offer, barter["offers"], picking]


def barter_values(barter: "Barter | None") -> "tuple[Any, ...]":
    """Return the same values of a position's barter, but for who is picking."""
    if barter is None:
        return _NO_BARTER
    return (
        barter.action,
        barter.seats,
        barter.opener,
        barter.to_answer,
        barter.offer & _GEMS,
        barter.offers,
    )


def trader_values(position: "Table", *others: "Iterable[Any]") -> "list[tuple[Any, ...]]":
    """Return for each seat of a position the values of its groups, then these other ones."""
    table = (position.gems, position.cards, position.actions, position.age_rank)
    return list(zip(*table, *others, strict=True))


class TraderLookups:
    """The tables of what both games show of a seat: gems, the card before it, action and age."""

    def __init__(self, catalogue: "Catalogue", actions: "Sequence[str]", seats: int) -> None:
        self._card = Lookup(lambda card: _describe_card(catalogue.get(card, {})))
        self._action = Lookup(lambda action: one_hot(action, actions))
        self._age = Lookup(lambda rank: [rank / seats])

    def groups(self, name: str) -> Groups:
        """Return the groups of one seat."""
        return [
            (f"{name} gems", GEMS),
            (f"{name} card", self._card),
            (f"{name} action", self._action),
            (f"{name} age", self._age),
        ]


def _describe_card(card: "Mapping[str, Any]") -> list[float]:
    worth = [card.get(field, 0) / most for field, most in _ON_A_CARD.items()]
    return [*worth, *scaled(card.get("gems", (0, 0, 0, 0)), 2)]
