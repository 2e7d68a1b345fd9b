"""Karim builds: he hires workers until he has fifteen, and only then looks at the goods.

The award of a stage is worth more than most majorities, and he means to have it every time. While
he is far enough ahead, or hopelessly behind, he earns points instead, and he is nobody's enemy:
an offer of two gems, or a single good one, always finds him willing.
"""

from collections.abc import Sequence

from bots_sdk.games.basari import BasariAnswerView, BasariBarterView, BasariBot, BasariView, Offer
from engine.games.basari import GAME

CARDS = GAME.catalogue
ENOUGH = 15
A_CARD = 3
"""A card brings about so many workers."""
TOO_FAR = 6
"""So far behind the leader the award is lost."""
MANY = 4
"""A card with so many gems is better than its few points."""


class Karim(BasariBot):
    """Never rests before the house stands."""

    def choose_action(self, view: BasariView, options: Sequence[str]) -> str:
        """Choose workers while they are needed, otherwise the better half of his card."""
        best = max(view.seats[other].workers for other in view.others)
        missing = ENOUGH - view.me.workers
        last_chance = best >= ENOUGH and 0 < missing <= A_CARD
        racing = best < ENOUGH and missing > 0 and best - view.me.workers < TOO_FAR
        if last_chance or (racing and view.me.workers - best <= A_CARD):
            return "workers"
        card = CARDS[view.me.card]
        return "gems" if sum(card["gems"]) >= MANY else "points"

    def open_barter(self, view: BasariBarterView, options: Sequence[str]) -> str:
        """Offer two gems of the lowest colours for workers, one for anything else."""
        count = 2 if view.barter.action == "workers" else 1
        return str(Offer.cheapest(view.me.gems, count) or options[0])

    def answer_offer(self, view: BasariAnswerView, options: Sequence[str]) -> str:
        """Accept two gems, or a red or yellow one; for workers go one step higher."""
        offered = Offer.of(view.barter.offer)
        fair = offered.count >= 2 or offered["R"] or offered["Y"]
        if view.barter.action == "workers" and offered.count <= 2 and len(options) > 1:
            return options[1]
        return "accept" if fair or len(options) == 1 else options[1]
