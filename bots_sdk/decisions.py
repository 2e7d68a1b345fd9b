"""A method for every decision: what the base classes of the games share. Runs inside the box."""

from bots_sdk.bot import Bot
from bots_sdk.offers import Offer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
