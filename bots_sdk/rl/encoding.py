"""Moves as actions and views as numbers: what the environment asks of the kit of a game.

A quarter of a million offers do not fit into a network's last layer, so every legal move is said as
one or more actions of a small fixed alphabet: `offer 1.0.2.0` as four counts, `swap B 2 R` as
colour, opponent, colour. After each part only those actions are legal that some legal move goes on
with, so every legal move can be said and nothing else.
"""

from abc import ABC, abstractmethod
from importlib import import_module

from bots_sdk.rl.features import Features, one_hot
from engine.game import Options, Seat, View
from runners.plugins.discovery import kits

Actions = tuple[str, ...]

MODULE = "rl"
"""The module of a kit that holds its encoding, as `ENCODING`."""


class NoEncoding(LookupError):
    """The kit of a game has nothing for reinforcement learning."""


class Encoding(ABC):
    """How one game is said and seen. A kit has an object of a subclass in its `rl.py`."""

    actions: Actions
    """The alphabet; an action's number is its place here."""
    decisions: tuple[str, ...]
    """What seats are asked for."""
    parts: int = 4
    """The most actions a move is said in."""

    def spell(self, move: str, seat: Seat, seats: int) -> Actions:
        """Return the actions of a move of this seat; by default the move is an action itself.

        Opponents should be counted from the seat, so that a policy plays alike at every seat.
        """
        return (move,)

    def next_actions(
        self, options: Options, prefix: Actions, seat: Seat, seats: int
    ) -> dict[str, str | None]:
        """Return what can be said next: the move each action completes, None if it goes on."""
        at = len(prefix)
        following: dict[str, str | None] = {}
        for move in options:
            parts = self.spell(move, seat, seats)
            if parts[:at] == prefix:
                following[parts[at]] = move if len(parts) == at + 1 else None
        return following

    def observe(self, view: View) -> Features:
        """Return the features of a view, those of the decision first.

        Only the view of the seat is looked at, so nothing hidden can get in.
        """
        asked = view["seat"] in view["asked"]
        decision = view["decision"] if asked else None
        return {"decision": one_hot(decision, self.decisions), **self.describe(view)}

    @abstractmethod
    def describe(self, view: View) -> Features:
        """Return the features of the table and the seats."""


def find_encoding(slug: str) -> Encoding:
    """Return the encoding of a game, or raise `NoEncoding`."""
    kit = kits().get(slug)
    if kit is None or not (kit.folder / f"{MODULE}.py").is_file():
        raise NoEncoding(
            f"{slug} is no environment yet: a kit for it with a file {MODULE}.py is not installed."
        )
    encoding = import_module(f"{kit.package}.{MODULE}").ENCODING
    assert isinstance(encoding, Encoding)
    return encoding
