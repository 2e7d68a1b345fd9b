"""Greedy takes what pays most now, by a fixed price list, and never asks what the others want.

A good first opponent: it knows what things cost, but all its neighbours can guess what it will do.
"""

from collections.abc import Sequence

from bots_sdk.games.edel_stein_reich import (
    EdelSteinReichAnswerView,
    EdelSteinReichBarterView,
    EdelSteinReichBot,
    EdelSteinReichUseView,
    EdelSteinReichView,
    Offer,
)
from bots_sdk.offers import COLOURS
from bots_sdk.search.prices import answer_by_list, colour_of, list_price
from engine.games.edel_stein_reich import GAME

CARDS = GAME.catalogue
EVENT_PRICE = 3.5
FREE_PRICE = 3.0


class Greedy(EdelSteinReichBot):
    """Buys by the list and sells by the list."""

    def choose_action(self, view: EdelSteinReichView, options: Sequence[str]) -> str:
        """Choose the action with the highest price."""
        return self.choose_best(options, lambda action: price(view, action))

    def open_barter(self, view: EdelSteinReichBarterView, options: Sequence[str]) -> str:
        """Offer one gem, the cheapest: perhaps they take it."""
        return str(Offer.cheapest(view.me.gems, 1))

    def answer_offer(self, view: EdelSteinReichAnswerView, options: Sequence[str]) -> str:
        """Accept half of what the action pays; else offer one gem more than they did."""
        return answer_by_list(view, options, price(view, view.barter.action) / 2)

    def use_event(self, view: EdelSteinReichUseView, options: Sequence[str]) -> str:
        """Use what brings gems or takes them from others; score only a colour it leads."""
        kind = CARDS[view.using]["kind"]
        if kind == "half_value_scoring":
            return next((move for move in options[1:] if leads(view, colour_of(move))), "decline")
        if kind == "swap_one":
            return self.choose_best(options[1:], ranks_won)
        return "decline" if kind == "everyone_halves" else options[1]


def price(view: EdelSteinReichView, action: str) -> float:
    """Return what an action pays its performer by the list."""
    card = CARDS[view.me.card]
    if action == "money":
        return float(card["money"])
    if action == "gems":
        return list_price(map(min, card["gems"], view.supply))
    return EVENT_PRICE if action == "event" else FREE_PRICE


def leads(view: EdelSteinReichView, colour: str) -> bool:
    """Tell whether it has the majority of a colour alone."""
    c = COLOURS.index(colour)
    rivals = [view.seats[other].gems[c] for other in view.others]
    return bool(view.me.gems[c] > max(rivals))


def ranks_won(swap: str) -> int:
    """Return by how many ranks the gem taken is better than the gem given."""
    _, give, _, take = swap.split()
    return COLOURS.index(give) - COLOURS.index(take)
