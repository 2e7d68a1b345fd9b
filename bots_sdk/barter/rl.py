"""What the two barter games share as environments: how offers are said, what is seen of a trade."""

from collections.abc import Mapping, Sequence
from typing import Any

from bots_sdk.rl.encoding import Actions, Encoding
from bots_sdk.rl.features import MAX_FEATURE, Features, clockwise, one_hot, scaled
from engine.barter.gems import PER_COLOUR, pack, unpack
from engine.barter.offers import Offers, offer_key, offer_text
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


class BarterEncoding(Encoding):
    """Says an offer as four counts."""

    def next_actions(
        self, options: Options, prefix: Actions, seat: Seat, seats: int
    ) -> dict[str, str | None]:
        """Return what can be said next, without listing the offers."""
        if isinstance(options, Offers):
            return _next_of_offer(options, prefix)
        return super().next_actions(options, prefix, seat, seats)

    def spell(self, move: str, seat: Seat, seats: int) -> Actions:
        """Return the actions of a move that both games have."""
        word, _, rest = move.partition(" ")
        if word == "offer":
            return tuple(f"count {count}" for count in rest.split("."))
        if word == "pick":
            return (rest,)
        if word == "trade":
            return tuple(rest.replace(" ", ""))
        return (move,)


def _next_of_offer(offers: Offers, prefix: Actions) -> dict[str, str | None]:
    """Return the counts of the next colour that reach a legal offer with all of the later ones."""
    own = unpack(offers.own)
    colour = len(prefix)
    counts = [int(part.removeprefix("count ")) for part in prefix]
    following: dict[str, str | None] = {} if prefix else {word: word for word in offers.first}
    for count in range(own[colour] + 1):
        key = offer_key(pack([*counts, count, *own[colour + 1 :]]))
        if key > offers.above:
            following[COUNTS[count]] = offer_text(key) if colour == len(own) - 1 else None
    return following


def describe_trader(
    name: str, view: View, seat: Seat, catalogue: Catalogue, actions: Sequence[str]
) -> Features:
    """Return what both games show of a seat: gems, the card before it, its action, its age."""
    one = view["seats"][seat]
    card = catalogue.get(one["card"], {})
    worth = [card.get(field, 0) / most for field, most in _ON_A_CARD.items()]
    return {
        f"{name} gems": scaled(one["gems"], PER_COLOUR),
        f"{name} card": [*worth, *scaled(card.get("gems", (0, 0, 0, 0)), 2)],
        f"{name} action": one_hot(one["action"], actions),
        f"{name} age": [view["age_rank"][seat] / len(view["seats"])],
    }


def describe_barter(view: View, actions: Sequence[str]) -> Features:
    """Return the barter that is going on; all zeros without one."""
    table: dict[str, Any] = view["barter"] or {}
    seats = clockwise(view)
    return {
        "barter action": one_hot(table.get("action"), actions),
        "barter seats": [float(seat in table.get("seats", ())) for seat in seats],
        "barter opener": one_hot(table.get("opener"), seats),
        "barter to answer": one_hot(table.get("to_answer"), seats),
        "barter offer": scaled(table.get("offer") or (0, 0, 0, 0), PER_COLOUR),
        "barter offers": [min(table.get("offers", 0) / _OFFERS, MAX_FEATURE)],
        "still picking": [float(seat in view["picking"]) for seat in seats],
    }
