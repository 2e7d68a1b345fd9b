"""Greedy takes what pays most now, by a fixed price list, and never asks what the others want.

A good first opponent: it knows what things cost, but all its neighbours can guess what it will do.
"""

from collections.abc import Iterable, Sequence

from bots_sdk import View
from bots_sdk.games.basari import BasariBot, Offer
from engine.games.basari import GAME

CARDS = GAME.catalogue
GEM_PRICE = (2.4, 2.0, 1.7, 1.4)
"""About a sixth of what the majority of the colour is paid."""
WORKERS_PRICE = 3.0
FREE_PRICE = 3.0


class Greedy(BasariBot):
    """Buys by the list and sells by the list."""

    def choose_action(self, view: View, options: Sequence[str]) -> str:
        """The action with the highest price."""
        return self.choose_best(options, lambda action: price(view, action))

    def open_barter(self, view: View, options: Sequence[str]) -> str:
        """One gem, the cheapest: perhaps they take it."""
        return str(Offer.cheapest(view.me.gems, 1))

    def answer_offer(self, view: View, options: Sequence[str]) -> str:
        """Content with half of what the action pays; else one gem more than they offered."""
        offered = view.barter.offer
        half = price(view, view.barter.action) / 2
        mine = Offer.cheapest(view.me.gems, sum(offered) + 1)
        if cost(offered) >= half or mine is None or cost(mine) > half or mine not in options:
            return "accept"
        return str(mine)


def price(view: View, action: str) -> float:
    """What an action pays by the list, to its performer."""
    card = CARDS[view.me.card]
    if action == "points":
        return float(card["points"])
    if action == "gems":
        return cost(map(min, card["gems"], view.supply))
    return WORKERS_PRICE if action == "workers" else FREE_PRICE


def cost(gems: Iterable[int]) -> float:
    """The price of some gems."""
    return sum(count * each for count, each in zip(gems, GEM_PRICE, strict=True))
