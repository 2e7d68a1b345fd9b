"""Encodings that look their features up: every group of numbers is worked out once for a value.

What a value means as numbers is defined once, in the lookup of its group. Where values come from is
another matter: in the box from a view, in an environment from the position itself, which saves
building the view of every seat at every step. Runs inside the box.
"""

from abc import abstractmethod
from array import array
from functools import cached_property
from operator import getitem

from bots_sdk.rl.encoding import MAX_REMEMBERED, Actions, Encoding, own_decision
from bots_sdk.rl.features import Features, one_hot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from engine.game import Game, Seat, View

    Value = Any
    """What a group of features is about; it can be a key."""
    Position = Any
    """Of the game that is encoded."""

Values = list["Value"]
"""A value for each group, in their order."""


class Lookup(dict["Value", bytes]):
    """The numbers of a value, as 32-bit floats."""

    __slots__ = ("numbers",)

    def __init__(self, numbers: "Callable[[Value], Iterable[float]]") -> None:
        super().__init__()
        self.numbers = numbers

    def __missing__(self, value: "Value") -> bytes:
        if len(self) >= MAX_REMEMBERED:
            self.clear()
        data = self[value] = array("f", self.numbers(value)).tobytes()
        return data


Groups = list[tuple[str, Lookup]]
"""The lookups of an observer with the names of their groups; a group may have several in a row."""


class LookupEncoding(Encoding):
    """An encoding by groups of features, each a function of one value."""

    @abstractmethod
    def groups(self, seat: "Seat", seats: int) -> Groups:
        """Return the groups of an observer at this seat, those of the decision not included."""

    @abstractmethod
    def read(self, view: "View") -> Values:
        """Return the values that a view shows."""

    @abstractmethod
    def read_position(self, position: "Position", seat: "Seat") -> Values:
        """Return the same values, read from the position that the view would be made of."""

    def describe(self, view: "View") -> Features:
        """Return the features of the table and the seats."""
        features: Features = {}
        groups = self.groups(view["seat"], len(view["seats"]))
        for (name, lookup), value in zip(groups, self.read(view), strict=True):
            features.setdefault(name, []).extend(lookup.numbers(value))
        return features

    def encode_prefix(self, prefix: Actions) -> bytes:
        """Return the parts of a move that are said, as 32-bit floats."""
        return self._prefixes[prefix]

    def encode(self, view: "View") -> bytes:
        """Return the features of a view as 32-bit floats."""
        lookups = self._lookups_of(view["seat"], len(view["seats"]))
        parts = map(getitem, lookups, self.read(view))
        return b"".join((self._decisions[own_decision(view)], *parts))

    def encode_position(self, game: "Game", position: "Position", seat: "Seat") -> bytes:
        """Return what `encode` returns for the view of a seat, without building that view."""
        decision = position.decision if seat in position.asked else None
        lookups = self._lookups_of(seat, position.n)
        parts = map(getitem, lookups, self.read_position(position, seat))
        return b"".join((self._decisions[decision], *parts))

    def _lookups_of(self, seat: "Seat", seats: int) -> list[Lookup]:
        lookups = self._lookups.get((seat, seats))
        if lookups is None:
            lookups = self._lookups[seat, seats] = [
                lookup for _, lookup in self.groups(seat, seats)
            ]
        return lookups

    @cached_property
    def _lookups(self) -> "dict[tuple[Seat, int], list[Lookup]]":
        return {}

    @cached_property
    def _prefixes(self) -> Lookup:
        return Lookup(self.describe_prefix)

    @cached_property
    def _decisions(self) -> Lookup:
        return Lookup(lambda decision: one_hot(decision, self.decisions))
