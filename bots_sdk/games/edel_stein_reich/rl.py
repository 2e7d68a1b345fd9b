"""Edel, Stein & Reich for reinforcement learning: actions, observations. Runs inside the box."""

from itertools import chain

from bots_sdk.barter.rl import (
    COUNTS,
    DECISIONS,
    GEMS,
    ROUND,
    WEALTH,
    BarterEncoding,
    TraderLookups,
    barter_groups,
    barter_values,
    read_barter,
    trader_values,
)
from bots_sdk.rl.encoding import Actions
from bots_sdk.rl.features import clockwise, many_hot, one_hot
from bots_sdk.rl.lookups import Groups, Lookup, Values
from engine.barter.gems import COLOURS, pack
from engine.games.edel_stein_reich.cards import CATALOGUE, EVENT, GEM_DECK, IMMEDIATE
from engine.games.edel_stein_reich.state import SEATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Seat, View
    from engine.games.edel_stein_reich.state import State

CHOICES = ("money", "event", "gems", "free")
_OPPONENTS = tuple(f"opponent {steps}" for steps in range(1, max(SEATS)))
"""Counted clockwise: opponent 1 is the left-hand neighbour."""
_KINDS = tuple(dict.fromkeys(EVENT.values()))
_LASTING_KINDS = tuple(kind for kind in _KINDS if kind not in IMMEDIATE)


def _count_kinds(cards: "Sequence[str]", kinds: "Sequence[str]") -> list[float]:
    kinds_there = [EVENT[card] for card in cards]
    return [float(kinds_there.count(kind)) for kind in kinds]


_PHASE = Lookup(lambda phase: one_hot(phase, (1, 2, 3)))
_EVENT = Lookup(lambda card: one_hot(EVENT.get(card), _KINDS))
_USED_CARDS = Lookup(lambda cards: many_hot(cards, GEM_DECK))
_GEM_CARD = Lookup(lambda card: one_hot(card, GEM_DECK))
_DISCARDS = Lookup(lambda cards: _count_kinds(cards, _KINDS))
_HELD = Lookup(lambda cards: _count_kinds(cards, _LASTING_KINDS))


class EdelSteinReichEncoding(BarterEncoding):
    """Choices, uses of event cards, colours, opponents and counts."""

    actions = (
        *(*CHOICES, "accept", "decline", "open", "hidden", "use"),
        *COLOURS,
        *_OPPONENTS,
        *COUNTS,
    )
    decisions = (*DECISIONS, "BARTER_SINGLE", "EVENT_SOURCE", "EVENT_USE")

    def spell(self, move: str, seat: "Seat", seats: int) -> Actions:
        """Return the actions of a move; the uses of event cards are this game's own."""
        word, _, rest = move.partition(" ")
        if word in ("take", "score"):
            return (rest,)
        if word == "strip":
            return tuple(target[1] for target in rest.split())
        if word == "swap":
            give, opponent, take = rest.split()
            return give, f"opponent {(int(opponent) - seat) % seats}", take
        return super().spell(move, seat, seats)

    def groups(self, seat: "Seat", seats: int) -> Groups:
        """Return the groups of the table, then those of the seats."""
        groups: Groups = [
            ("phase", _PHASE),
            ("round", ROUND),
            ("supply", GEMS),
            ("event", _EVENT),
            ("using", _EVENT),
            ("cards gone by", _USED_CARDS),
            ("card set aside", _GEM_CARD),
            ("events gone by", _DISCARDS),
            *barter_groups(seat, seats, CHOICES),
        ]
        trader = TraderLookups(CATALOGUE, CHOICES, seats)
        for step in range(seats):
            groups += trader.groups(f"seat {step}")
            groups.append((f"seat {step} money", WEALTH))
            groups.append((f"seat {step} events", _HELD))
        return groups

    def read(self, view: "View") -> Values:
        """Return the values that a view shows."""
        seats, ages = view["seats"], view["age_rank"]
        values = [
            view["phase"],
            view["round"],
            pack(view["supply"]),
            view["event"],
            view["using"],
            tuple(view["used_cards"]),
            view["aside"],
            tuple(view["event_discards"]),
            *read_barter(view),
        ]
        for seat in clockwise(view):
            one = seats[seat]
            values += pack(one["gems"]), one["card"], one["action"], ages[seat]
            values += one["money"], tuple(one["held"])
        return values

    def read_position(self, position: "State", seat: "Seat") -> Values:
        """Return the same values, read from the position."""
        values = [
            position.phase,
            position.round,
            position.supply,
            position.event,
            position.using,
            tuple(position.used),
            position.aside,
            tuple(position.discards),
            *barter_values(position.barter),
            tuple(position.picking),
        ]
        traders = trader_values(position, position.money, map(tuple, position.held))
        values += chain.from_iterable(traders[seat:] + traders[:seat])
        return values


ENCODING = EdelSteinReichEncoding()
