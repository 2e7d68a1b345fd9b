"""Basari as an environment for reinforcement learning."""

from bots_sdk.barter.rl import (
    COUNTS,
    DECISIONS,
    ROUNDS,
    WORTH,
    BarterEncoding,
    describe_barter,
    describe_trader,
)
from bots_sdk.rl.features import Features, clockwise, one_hot, scaled
from engine.barter.gems import COLOURS, PER_COLOUR
from engine.game import View
from engine.games.basari import GAME
from engine.games.basari.cards import DECK

CHOICES = ("workers", "points", "gems", "free")
_WORKERS = 15
"""What ends a stage."""


class BasariEncoding(BarterEncoding):
    """Choices, colours and counts."""

    actions = (*CHOICES, "accept", *COLOURS, *COUNTS)
    decisions = DECISIONS

    def describe(self, view: View) -> Features:
        """Return the features of the table, then those of the seats."""
        cards_in_rows = {card for seat in view["seats"] for card in seat["row"]}
        features: Features = {
            "stage": one_hot(view["stage"], (1, 2, 3)),
            "round": [view["round"] / ROUNDS],
            "supply": scaled(view["supply"], PER_COLOUR),
            "cards gone by": [float(card in cards_in_rows) for card in DECK],
            **describe_barter(view, CHOICES),
        }
        for step, seat in enumerate(clockwise(view)):
            one = view["seats"][seat]
            features |= describe_trader(f"seat {step}", view, seat, GAME.catalogue, CHOICES)
            features[f"seat {step} points"] = [one["points"] / WORTH]
            features[f"seat {step} workers"] = [one["workers"] / _WORKERS]
        return features


ENCODING = BasariEncoding()
