"""Edelsteinsuche for reinforcement learning: actions and observations. Runs inside the box."""

from functools import lru_cache

from bots_sdk.rl.encoding import Actions
from bots_sdk.rl.features import MAX_FEATURE, clockwise, one_hot, seats_from
from bots_sdk.rl.lookups import Groups, Lookup, LookupEncoding, Values
from engine.games.edelsteinsuche.cards import CARDS, PROSPECTORS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from engine.game import Seat, View
    from engine.games.edelsteinsuche.state import State

_ROWS = 4
_SLOTS = "12345"
_SERIES = len(_SLOTS)
_TURNS = 100

_CARD = Lookup(lambda card: one_hot(card, CARDS))
_UNIQUE = Lookup(lambda used: [float(used[0]), used[1] / 3])
_UP = Lookup(lambda row: map(float, row))
_GEM = Lookup(lambda gem: one_hot(gem, PROSPECTORS))
_MISSING = Lookup(lambda missing: [missing / 5])
_FLAG = Lookup(lambda flag: [float(flag)])


def _who_knows(seat: "Seat") -> Lookup:
    """Return the table of what a seat has seen of a row: its bit among the knowers of a card."""
    return Lookup(lambda row: [float(knowers >> seat & 1) for knowers in row])


_SEEN = [_who_knows(seat) for seat in range(_ROWS)]


class EdelsteinsucheEncoding(LookupEncoding):
    """Every move is one action; rows are counted from the seat."""

    actions = (
        *("normal", "unique", "show", "stop", "continue"),
        *(f"hide {slot}" for slot in _SLOTS),
        *(f"draw {row}.{slot}" for row in range(1, _ROWS) for slot in _SLOTS),
    )
    decisions = ("TURN_START", "DRAW", "PLACE", "UNIQUE_MORE")

    def spell(self, move: str, seat: "Seat", seats: int) -> Actions:
        """Return the action of a move."""
        word, _, rest = move.partition(" ")
        if word == "draw":
            row, slot = rest.split(".")
            return (f"draw {rows_from(seat, seats).index(int(row))}.{slot}",)
        return (move,)

    def groups(self, seat: "Seat", seats: int) -> Groups:
        """Return the groups of the table, then those of the rows and of the seats."""
        order = seats_from(seat, seats)
        places = [row * _SERIES + slot for row in rows_from(seat, seats) for slot in range(_SERIES)]
        groups: Groups = [
            ("turn", Lookup(lambda turn: [min(turn / seats / _TURNS, MAX_FEATURE)])),
            ("active", Lookup(lambda active: one_hot(active, order))),
            ("unique move", _UNIQUE),
            ("hand", _CARD),
            ("drawn from", Lookup(lambda source: one_hot(source, places))),
            *[("face up", _UP)] * _ROWS,
        ]
        for row in range(_ROWS):
            groups += [(f"row {row} cards", _CARD)] * _SERIES
        for step, other in enumerate(order):
            groups.append((f"seat {step} gem", _GEM))
            groups.append((f"seat {step} missing", _MISSING))
            groups.append((f"seat {step} unique move used", _FLAG))
            groups += [(f"seat {step} has seen", _SEEN[other])] * _ROWS
        return groups

    def read(self, view: "View") -> Values:
        """Return the values that a view shows."""
        own, seats = view["seat"], view["seats"]
        rows, source = rows_from(own, len(seats)), view["drawn_from"]
        values = [
            view["turn"],
            view["active"],
            (view["unique"], view["draws"]),
            view["hand"],
            None if source is None else source[0] * _SERIES + source[1] - 1,
            *(bytes(slot["up"] for slot in view["rows"][row]) for row in rows),
        ]
        for row in rows:
            values += view["known"][own][row]
        knowers = [_knowers(view["seen"], row) for row in rows]
        for seat in clockwise(view):
            one = seats[seat]
            values += one["type"], one["missing"], one["unique_used"], *knowers
        return values

    def read_position(self, position: "State", seat: "Seat") -> Values:
        """Return the same values, read from the position."""
        cards, own, source, types = position.cards, 1 << seat, position.source, position.types
        first, last = seat * _SERIES, position.n * _SERIES
        rows = _slices(seat, position.n)
        known = [
            card if bits & own else None for card, bits in zip(cards, position.knowers, strict=True)
        ]
        hand = None
        if source is not None:
            hand = cards[source] if seat == position.active else known[source]
        values = [
            position.turn,
            position.active,
            (position.unique, position.exchanges),
            hand,
            source,
            *map(bytes(position.up).__getitem__, rows),
            *known[first:last],
            *known[:first],
            *known[last:],
        ]
        knowers = [*map(bytes(position.knowers).__getitem__, rows)]
        missing, revealed = position.missing, position.unique_used
        for other in seats_from(seat, position.n):
            used = revealed[other]
            gem = types[other] if used or other == seat else None
            values += gem, missing[other], used, *knowers
        return values


@lru_cache
def rows_from(seat: "Seat", seats: int) -> list[int]:
    """Return the rows as a seat counts them: its own, its opponents' clockwise, the avatars'."""
    return [*seats_from(seat, seats), *range(seats, _ROWS)]


@lru_cache
def _slices(seat: "Seat", seats: int) -> list[slice]:
    """Return where the rows lie among all places, in the order in which a seat counts them."""
    return [slice(row * _SERIES, (row + 1) * _SERIES) for row in rows_from(seat, seats)]


def _knowers(seen: "Sequence[Any]", row: int) -> bytes:
    """Return for each slot of a row who knows its card, a bit per seat."""
    return bytes(
        sum(rows[row][slot] << seat for seat, rows in enumerate(seen)) for slot in range(_SERIES)
    )


class OwnGemFirst(EdelsteinsucheEncoding):
    """Calls the own type of gem the first one, whatever it is; that one has the own name instead.

    The four types have the same rules. Whoever sees their own always in the same place need not
    learn everything four times, and which of twenty cards matter depends on nothing any more.
    """

    def read(self, view: "View") -> Values:
        """Return the values that a view shows."""
        return _name_own_gem_first(super().read(view))

    def read_position(self, position: "State", seat: "Seat") -> Values:
        """Return the same values, read from the position."""
        return _name_own_gem_first(super().read_position(position, seat))


_CARDS_AT = 9
"""The place of the first card of the own row among the values."""
_OWN_GEM_AT = _CARDS_AT + _ROWS * _SERIES


def _name_own_gem_first(values: Values) -> Values:
    names = _other_names(values[_OWN_GEM_AT])
    return [names.get(value, value) for value in values]


@lru_cache
def _other_names(own: str) -> "Mapping[str, str]":
    """Return what cards and gems are called by a seat with this type of gem."""
    first = PROSPECTORS[0]
    swapped = {own: first, first: own}
    return {
        name: swapped[name[0]] + name[1:] for name in (*CARDS, *PROSPECTORS) if name[0] in swapped
    }


ENCODING = EdelsteinsucheEncoding()
OWN_GEM_FIRST = OwnGemFirst()
