"""The base class of bots that barter, and modest defaults for them. Runs inside the box."""

from bots_sdk.decisions import GameBot
from bots_sdk.offers import Offer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

Move = str | Offer
"""What a method for a decision returns: one of the options, or an offer as a value."""

ENOUGH_GEMS = 2
"""A bot without an opinion of its own accepts an offer of this many gems."""


class BarterBot(GameBot):
    """A bot whose methods may return an `Offer` where an offer is a move."""

    move_values = (Offer,)


def open_low(hand: "Sequence[int]", options: "Sequence[str]") -> Move:
    """Return the lowest opening offer."""
    return Offer.cheapest(hand, 1) or options[0]


def answer_fairly(hand: "Sequence[int]", standing: "Sequence[int]") -> Move:
    """Accept two gems; answer less with the lowest offer of one gem more."""
    count = sum(standing)
    if count >= ENOUGH_GEMS:
        return "accept"
    return Offer.cheapest(hand, count + 1) or "accept"


def trade_up(options: "Sequence[str]") -> Move:
    """Give a gem of the lowest colour for gems of the highest colours."""
    give = options[-1].split()[1]
    return next(move for move in options if move.split()[1] == give)
