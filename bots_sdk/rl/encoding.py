"""Moves as actions and views as numbers: what reinforcement learning asks of the kit of a game.

A quarter of a million offers do not fit into a network's last layer, so every legal move is said as
one or more actions of a small fixed alphabet: `offer 1.0.2.0` as four counts, `swap B 2 R` as
colour, opponent, colour. After each part only those actions are legal that some legal move goes on
with, so every legal move can be said and nothing else. Runs inside the box.
"""

from abc import ABC, abstractmethod
from array import array
from functools import cached_property, lru_cache

from bots_sdk.rl.features import Features, one_hot
from bots_sdk.rl.legal import Actions, Legal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from engine.game import Game, Options, Seat, View

__all__ = ["Actions", "Encoding"]

MAX_REMEMBERED = 1 << 14
"""How much an encoding remembers of each kind; then it begins anew."""


class Encoding(ABC):
    """How one game is said and seen. A kit has an object of a subclass in its `rl.py`."""

    actions: Actions
    """The alphabet; an action's number is its place here."""
    decisions: tuple[str, ...]
    """What seats are asked for."""
    parts: int = 4
    """The most actions a move is said in."""

    def spell(self, move: str, seat: "Seat", seats: int) -> Actions:
        """Return the actions of a move of this seat; by default the move is an action itself.

        Opponents should be counted from the seat, so that a policy plays alike at every seat.
        """
        return (move,)

    def next_actions(
        self, options: "Options", prefix: Actions, seat: "Seat", seats: int
    ) -> dict[str, str | None]:
        """Return what can be said next: the move each action completes, None if it goes on."""
        at = len(prefix)
        following: dict[str, str | None] = {}
        for move in options:
            parts = self._spell(move, seat, seats)
            if parts[:at] == prefix:
                following[parts[at]] = move if len(parts) == at + 1 else None
        return following

    def observe(self, view: "View") -> Features:
        """Return the features of a view, those of the decision first.

        Only the view of the seat is looked at, so nothing hidden can get in.
        """
        return {"decision": one_hot(own_decision(view), self.decisions), **self.describe(view)}

    @abstractmethod
    def describe(self, view: "View") -> Features:
        """Return the features of the table and the seats."""

    def groups_of(self, view: "View", prefix: Actions = ()) -> Features:
        """Return all features of an observation: the parts of the move said so far come first."""
        return {"said": self.describe_prefix(prefix), **self.observe(view)}

    def describe_prefix(self, prefix: Actions) -> list[float]:
        """Return the parts of a move that are said, as numbers; zeros for those to come."""
        parts = [(self.number[action] + 1) / len(self.actions) for action in prefix]
        return parts + [0.0] * (self.parts - len(parts))

    def encode_prefix(self, prefix: Actions) -> bytes:
        """Return the parts of a move that are said, as 32-bit floats: an observation's first."""
        return array("f", self.describe_prefix(prefix)).tobytes()

    def encode(self, view: "View") -> bytes:
        """Return the features of a view as 32-bit floats: the rest of an observation."""
        groups = self.observe(view).values()
        return array("f", [number for numbers in groups for number in numbers]).tobytes()

    def encode_position(self, game: "Game", position: object, seat: "Seat") -> bytes:
        """Return what `encode` returns for the view of a seat."""
        return self.encode(game.view(position, seat))

    def legal(self, options: "Options", prefix: Actions, seat: "Seat", seats: int) -> Legal:
        """Return the actions that can be said next, by their numbers."""
        key = (tuple(options), prefix, seat, seats)
        legal = self._remembered.get(key)
        if legal is None:
            if len(self._remembered) >= MAX_REMEMBERED:
                self._remembered.clear()
            following = self.next_actions(options, prefix, seat, seats)
            moves = {self.number[action]: move for action, move in following.items()}
            legal = self._remembered[key] = Legal(len(self.actions), moves)
        return legal

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each action."""
        return {action: number for number, action in enumerate(self.actions)}

    @cached_property
    def _spell(self) -> "Callable[[str, Seat, int], Actions]":
        return lru_cache(MAX_REMEMBERED)(self.spell)

    @cached_property
    def _remembered(self) -> "dict[Hashable, Legal]":
        return {}


def own_decision(view: "View") -> str | None:
    """Return what the seat of a view is asked for; None if it is not asked."""
    decision: str | None = view["decision"] if view["seat"] in view["asked"] else None
    return decision
