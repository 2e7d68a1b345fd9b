"""MyBot plays Edel, Stein & Reich. It acts at random; uncomment an idea and see if it helps."""

from collections.abc import Sequence

from bots_sdk.games.edel_stein_reich import EdelSteinReichBot, EdelSteinReichView as View
from engine.games.edel_stein_reich import GAME

CARDS = GAME.catalogue


class MyBot(EdelSteinReichBot):
    """What is not decided here, EdelSteinReichBot decides with a modest default."""

    def choose_action(self, view: View, options: Sequence[str]) -> str:
        """Choose money, event, gems or free: alone you act, two barter, three get nothing."""
        # Idea 1: stop choosing what the leader wants.
        # leader = max(view.others, key=lambda seat: view.seats[seat].money)
        # wanted = "money" if CARDS[view.seats[leader].card]["money"] >= 6 else "gems"
        # options = [action for action in options if action != wanted]

        # Idea 2: take the money when your card pays well.
        # if CARDS[view.me.card]["money"] >= 6 and "money" in options:
        #     return "money"
        return self.rng.choice(options)

    # Idea 3: in a barter, take whatever gems are offered and let the other one act.
    # def answer_offer(self, view: View, options: Sequence[str]) -> str:
    #     return "accept"
