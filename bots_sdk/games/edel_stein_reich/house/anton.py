"""Anton sleeps well: he takes what nobody else seems to want, and the first fair offer there is.

His whole plan is to stay out of the way. He looks which action the open cards make tempting for
each neighbour, and turns to the one with the smallest crowd. In a barter he rather sells than buys:
gems in the hand cannot be outbid.
"""

from collections.abc import Sequence

from bots_sdk.games.edel_stein_reich import (
    EdelSteinReichAnswerView,
    EdelSteinReichBarterView,
    EdelSteinReichBot,
    EdelSteinReichEventView,
    EdelSteinReichView,
    Offer,
)
from engine.games.edel_stein_reich import GAME

CARDS = GAME.catalogue
RICH = 6
"""A card with so much money tempts its owner to take it."""
MANY = 3
"""And one with so many gems to take those."""
LIKED = {"certificate", "every_sole_majority", "take_three"}
"""Event cards that everybody looks at."""


class Anton(EdelSteinReichBot):
    """Avoids every quarrel."""

    def choose_action(self, view: EdelSteinReichView, options: Sequence[str]) -> str:
        """Choose the action with the smallest crowd; among equals what his card is good for."""
        crowd = dict.fromkeys(options, 0)
        for other in view.others:
            crowd[temptation(view, other)] += 1
        own = temptation(view, view.seat)
        return self.choose_best(options, lambda action: (-crowd[action], action == own))

    def open_barter(self, view: EdelSteinReichBarterView, options: Sequence[str]) -> str:
        """Offer a gem of what he has most of; decline when he is down to a few."""
        if sum(view.me.gems) <= MANY:
            return "decline"
        return one_of(most(view.me.gems))

    def offer_single(self, view: EdelSteinReichBarterView, options: Sequence[str]) -> str:
        """Offer a gem: one for a whole action is a bargain."""
        return one_of(most(view.me.gems))

    def answer_offer(self, view: EdelSteinReichAnswerView, options: Sequence[str]) -> str:
        """Accept two gems, or a red or yellow one; otherwise offer two."""
        offered = Offer.of(view.barter.offer)
        mine = Offer.cheapest(view.me.gems, 2)
        if offered.count >= 2 or offered["R"] or offered["Y"] or mine is None:
            return "accept"
        return str(mine)

    def choose_source(self, view: EdelSteinReichEventView, options: Sequence[str]) -> str:
        """Take what lies open: it cannot disappoint him."""
        return "open"


def temptation(view: EdelSteinReichView, seat: int) -> str:
    """Return what the open cards make a seat want."""
    card = CARDS[view.seats[seat].card]
    if view.event and CARDS[view.event]["kind"] in LIKED and card["money"] < RICH:
        return "event"
    if sum(card["gems"]) >= MANY and card["money"] < RICH:
        return "gems"
    return "money"


def most(gems: Sequence[int]) -> int:
    """Return the colour there is most of; the lowest of equals."""
    return max(range(4), key=lambda colour: (gems[colour], colour))


def one_of(colour: int) -> str:
    """Return the offer of one gem of a colour."""
    return str(Offer.of([int(c == colour) for c in range(4)]))
