"""A method for every decision: what the base classes of the games share. Runs inside the box."""

from bots_sdk.bot import Bot
from bots_sdk.offers import Offer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from bots_sdk.bot import View

Move = str | Offer
"""What a method for a decision returns: one of the options, or an offer as a value."""


class GameBot(Bot):
    """Calls the method that belongs to the decision; take the class of your game instead."""

    methods: "Mapping[str, str]"
    """The name of the method for each decision."""

    def decide(self, view: "View", options: "Sequence[str]") -> str:
        """The move of this seat, by the method for `view.decision`."""
        move = getattr(self, self.methods[view["decision"]])(view, options)
        return str(move) if isinstance(move, Offer) else move

    def choose_best(self, moves: "Iterable[str]", worth: "Callable[[str], Any]") -> str:
        """Return one of the moves that are worth most, all equally likely.

        `max` would take the first of them, and options are sorted by seats and rows: a bot that
        always takes the first plays better at some seats than at others.
        """
        values = [(worth(move), move) for move in moves]
        best = max(value for value, _ in values)
        return self.rng.choice([move for value, move in values if value == best])
