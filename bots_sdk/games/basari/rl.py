"""Basari for reinforcement learning: its actions and observations. Runs inside the box."""

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
from bots_sdk.rl.features import clockwise, many_hot, one_hot
from bots_sdk.rl.lookups import Groups, Lookup, Values
from engine.barter.gems import COLOURS, pack
from engine.games.basari.cards import CATALOGUE, DECK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engine.game import Seat, View
    from engine.games.basari.state import State

CHOICES = ("workers", "points", "gems", "free")
_WORKERS = 15
"""What ends a stage."""

_STAGE = Lookup(lambda stage: one_hot(stage, (1, 2, 3)))
_ROWS = Lookup(lambda rows: many_hot({card for row in rows for card in row}, DECK))
_WORKER_COUNT = Lookup(lambda count: [count / _WORKERS])


class BasariEncoding(BarterEncoding):
    """Choices, colours and counts."""

    actions = (*CHOICES, "accept", *COLOURS, *COUNTS)
    decisions = DECISIONS

    def groups(self, seat: "Seat", seats: int) -> Groups:
        """Return the groups of the table, then those of the seats."""
        groups: Groups = [
            ("stage", _STAGE),
            ("round", ROUND),
            ("supply", GEMS),
            ("cards gone by", _ROWS),
            *barter_groups(seat, seats, CHOICES),
        ]
        trader = TraderLookups(CATALOGUE, CHOICES, seats)
        for step in range(seats):
            groups += trader.groups(f"seat {step}")
            groups.append((f"seat {step} points", WEALTH))
            groups.append((f"seat {step} workers", _WORKER_COUNT))
        return groups

    def read(self, view: "View") -> Values:
        """Return the values that a view shows."""
        seats, ages = view["seats"], view["age_rank"]
        rows = tuple(tuple(one["row"]) for one in seats)
        values = [view["stage"], view["round"], pack(view["supply"]), rows, *read_barter(view)]
        for seat in clockwise(view):
            one = seats[seat]
            values += pack(one["gems"]), one["card"], one["action"], ages[seat]
            values += one["points"], one["workers"]
        return values

    def read_position(self, position: "State", seat: "Seat") -> Values:
        """Return the same values, read from the position."""
        values = [
            position.stage,
            position.round,
            position.supply,
            tuple(map(tuple, position.rows)),
            *barter_values(position.barter),
            tuple(position.picking),
        ]
        traders = trader_values(position, position.points, position.workers)
        values += chain.from_iterable(traders[seat:] + traders[:seat])
        return values


ENCODING = BasariEncoding()
