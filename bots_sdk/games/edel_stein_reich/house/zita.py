"""Zita lives for the haggling: she goes where exactly one other is going, and gets paid to leave.

Whoever wants an action must outbid her, and she always bids a little more, up to her limit. It is
the gems that she is after: with enough of them the majorities come by themselves.
"""

from collections.abc import Sequence

from bots_sdk.games.edel_stein_reich import (
    EdelSteinReichAnswerView,
    EdelSteinReichBarterView,
    EdelSteinReichBot,
    EdelSteinReichUseView,
    EdelSteinReichView,
)
from bots_sdk.search.habits import wished_by_one
from bots_sdk.search.prices import count_of_colour, raise_a_little
from engine.games.edel_stein_reich import GAME

CARDS = GAME.catalogue
PRICE = {"money": 2, "event": 2, "gems": 3, "free": 1}
"""For so many gems she leaves an action to the other."""
MIN_GEMS = 4
"""With fewer gems than this she has nothing to haggle with, and earns some."""


class Zita(EdelSteinReichBot):
    """Loves a barter more than what it is about."""

    def choose_action(self, view: EdelSteinReichView, options: Sequence[str]) -> str:
        """Choose what one neighbour is likely to want; without gems, her own gem card."""
        if sum(view.me.gems) < MIN_GEMS:
            return "gems"
        pairs = wished_by_one(options, [wish(view, other) for other in view.others])
        # Some change keeps the others guessing.
        return self.rng.choice(pairs or list(options))

    def open_barter(self, view: EdelSteinReichBarterView, options: Sequence[str]) -> str:
        """Offer as little as possible: the talking has only begun."""
        return options[1]

    def answer_offer(self, view: EdelSteinReichAnswerView, options: Sequence[str]) -> str:
        """Go up one step, until the price is reached."""
        return raise_a_little(view, options, PRICE[view.barter.action])

    def pick_free(self, view: EdelSteinReichView, options: Sequence[str]) -> str:
        """Take the colour she has most of: majorities are made of many."""
        return self.choose_best(options, lambda move: count_of_colour(view, move))

    def use_event(self, view: EdelSteinReichUseView, options: Sequence[str]) -> str:
        """Take three gems of her best colour, if that is the card; otherwise the usual."""
        if options[1].startswith("take"):
            return self.choose_best(options[1:], lambda move: count_of_colour(view, move))
        return str(super().use_event(view, options))


def wish(view: EdelSteinReichView, seat: int) -> str:
    """Return what a neighbour probably wants: the better half of its card."""
    card = CARDS[view.seats[seat].card]
    return "gems" if 2 * sum(card["gems"]) >= card["money"] else "money"
