"""Tidepool as an environment for reinforcement learning."""

from tidepool.rules import BID, CARDS

from bots_sdk.rl.encoding import Encoding
from bots_sdk.rl.features import Features, clockwise
from engine.game import View


class TidepoolEncoding(Encoding):
    """A bid is one action."""

    actions = tuple(CARDS)
    decisions = (BID,)
    parts = 1

    def describe(self, view: View) -> Features:
        """Return the shell, the own hand, the cards that are gone, and everybody's pearls."""
        own = view["seats"][view["seat"]]["hand"] or []
        return {
            "shell": [(view["shell"] or 0) / 9],
            "hand": [float(card in own) for card in CARDS],
            "gone": [float(card in view["gone_cards"]) for card in CARDS],
            "pearls": [view["seats"][seat]["pearls"] / 20 for seat in clockwise(view)],
        }


ENCODING = TidepoolEncoding()
