"""Greedy takes what pays most now, by a fixed price list, and never asks what the others want.

A good first opponent: it knows what things cost, but all its neighbours can guess what it will do.
"""

from collections.abc import Sequence

from bots_sdk.games.basari import BasariAnswerView, BasariBarterView, BasariBot, BasariView, Offer
from bots_sdk.search.prices import answer_by_list, list_price
from engine.games.basari import GAME

CARDS = GAME.catalogue
WORKERS_PRICE = 3.0
FREE_PRICE = 3.0


class Greedy(BasariBot):
    """Buys by the list and sells by the list."""

    def choose_action(self, view: BasariView, options: Sequence[str]) -> str:
        """Choose the action with the highest price."""
        return self.choose_best(options, lambda action: price(view, action))

    def open_barter(self, view: BasariBarterView, options: Sequence[str]) -> str:
        """Offer one gem, the cheapest: perhaps they take it."""
        return str(Offer.cheapest(view.me.gems, 1))

    def answer_offer(self, view: BasariAnswerView, options: Sequence[str]) -> str:
        """Accept half of what the action pays; else offer one gem more than they did."""
        return answer_by_list(view, options, price(view, view.barter.action) / 2)


def price(view: BasariView, action: str) -> float:
    """Return what an action pays its performer by the list."""
    card = CARDS[view.me.card]
    if action == "points":
        return float(card["points"])
    if action == "gems":
        return list_price(map(min, card["gems"], view.supply))
    return WORKERS_PRICE if action == "workers" else FREE_PRICE
