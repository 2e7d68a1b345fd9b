"""Leila runs the busiest stall of the bazaar, and knows what everybody in the row is after.

Her rules of thumb:

1. A gem is worth most where the race for its colour is close, and next to nothing where it is
   decided. Unless this is the last stage, it is also worth something for the time after.
2. Workers are worth most in the middle of the race for fifteen: who leads wants the lead, who
   is far behind saves the trouble.
3. Everybody wants what is worth most to them, and does what they always do. She guesses what each
   neighbour will choose, and prefers what she is likely to get alone, or to share with one: three
   get nothing.
4. The fair price of an action is a little less than half its worth, paid in gems that the other
   can use and she cannot.
"""

from collections.abc import Sequence

from bots_sdk import View
from bots_sdk.games.basari import BasariAnswerView, BasariBarterView, BasariBot, BasariView, Offer
from bots_sdk.search.habits import Habits, as_chances, expected_share
from bots_sdk.search.prices import GemPrices, colour_of
from engine.games.basari import GAME

CARDS = GAME.catalogue
ENOUGH, AWARD = 15, 12


class Leila(BasariBot):
    """Prices everything, for everybody."""

    def __init__(self) -> None:
        self.habits = Habits()

    def choose_action(self, view: BasariView, options: Sequence[str]) -> str:
        """Choose the action with the best prospects, given what the others may choose."""
        self.habits.watch(view)
        prices = prices_of(view)
        guesses = [
            self.habits.guess(
                other, as_chances({action: worth(prices, other, action) for action in options})
            )
            for other in view.others
        ]

        def prospect(action: str) -> float:
            share = 1.0 if action == "free" else expected_share(action, guesses)
            return share * worth(prices, view.seat, action)

        return self.choose_best(options, prospect)

    def open_barter(self, view: BasariBarterView, options: Sequence[str]) -> str:
        """Make a fair offer; if there is none that pays, the least she can say."""
        prices, action = prices_of(view), view.barter.action
        offer = prices.fair_offer(options, lambda seat: worth(prices, seat, action))
        return offer or options[0]

    def answer_offer(self, view: BasariAnswerView, options: Sequence[str]) -> str:
        """Accept what is as good as acting at a fair price."""
        prices, action = prices_of(view), view.barter.action
        return prices.answer(options, lambda seat: worth(prices, seat, action))

    def trade_free(self, view: BasariView, options: Sequence[str]) -> str:
        """Give the gem she needs least for the two she needs most."""
        prices = prices_of(view)
        return self.choose_best(options, lambda move: prices.trade(view.seat, move))

    def pick_free(self, view: BasariView, options: Sequence[str]) -> str:
        """Take the gem she needs most."""
        prices = prices_of(view)
        return self.choose_best(options, lambda move: prices.gem(view.seat, colour_of(move)))


def prices_of(view: BasariView) -> GemPrices:
    """Return the prices of gems in this stage."""
    return GemPrices(view, view.stage)


def worth(prices: GemPrices, seat: int, action: str) -> float:
    """Return what an action brings to a seat."""
    view = prices.view
    card = CARDS[view.seats[seat].card]
    if action == "points":
        return float(card["points"])
    if action == "gems":
        return prices.gems(seat, Offer(*map(min, card["gems"], view.supply)))
    if action == "free":
        # One gem more than before: two for one if nobody else comes, otherwise simply one.
        return prices.best_gem(seat)
    return workers_worth(view, seat)


def workers_worth(view: View, seat: int) -> float:
    """Return what the workers of one more card are worth to a seat: two or three, usually."""
    own: int = view.seats[seat].workers
    best = max(one.workers for number, one in enumerate(view.seats) if number != seat)
    if own >= ENOUGH:
        return 0.0
    if best >= ENOUGH:
        # The stage ends with this round: the card must be enough, or is worth nothing.
        return AWARD * max(0, min(4, own - (ENOUGH - 5))) / 4
    return AWARD * (0.25 if abs(own - best) <= 3 else 0.1)
