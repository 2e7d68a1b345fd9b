"""MyBot plays Basari. It acts at random; uncomment an idea and see if it helps."""

from collections.abc import Sequence

from bots_sdk.games.basari import BasariBot, BasariView as View
from engine.games.basari import GAME

CARDS = GAME.catalogue


class MyBot(BasariBot):
    """What is not decided here, BasariBot decides with a modest default."""

    def choose_action(self, view: View, options: Sequence[str]) -> str:
        """Choose workers, points, gems or free: alone you act, two barter, three get nothing."""
        # Idea 1: stop choosing what the leader wants.
        # leader = max(view.others, key=lambda seat: view.seats[seat].points)
        # wanted = "points" if CARDS[view.seats[leader].card]["points"] >= 6 else "gems"
        # options = [action for action in options if action != wanted]

        # Idea 2: take the points when your card has many.
        # if CARDS[view.me.card]["points"] >= 6 and "points" in options:
        #     return "points"
        return self.rng.choice(options)

    # Idea 3: in a barter, take whatever gems are offered and let the other one act.
    # def answer_offer(self, view: View, options: Sequence[str]) -> str:
    #     return "accept"
