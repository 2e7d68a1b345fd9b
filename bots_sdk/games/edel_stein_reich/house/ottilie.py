"""Ottilie has sat in the gem exchange for forty years, and counts everybody's gems before her own.

Her rules of thumb:

1. A gem is worth most where the race for its colour is close, and next to nothing where it is
   decided. Unless this is the last phase, it is also worth something for the time after.
2. Everybody wants what is worth most to them, and does what they always do. She guesses what each
   neighbour will choose, and prefers what she is likely to get alone, or to share with one: three
   get nothing.
3. The fair price of an action is a little less than half its worth, paid in gems that the other
   can use and she cannot.
"""

from collections.abc import Sequence

from bots_sdk.games.edel_stein_reich import (
    EdelSteinReichAnswerView,
    EdelSteinReichBarterView,
    EdelSteinReichBot,
    EdelSteinReichEventView,
    EdelSteinReichUseView,
    EdelSteinReichView,
    Offer,
)
from bots_sdk.offers import COLOURS
from bots_sdk.search.habits import Habits, as_chances, expected_share
from bots_sdk.search.prices import VALUE, GemPrices, colour_of
from engine.games.edel_stein_reich import GAME

CARDS = GAME.catalogue
CERTIFICATE = 5.0
UNSEEN = 3.0
ENOUGH = 4
"""To this number two of the event cards bring two colours."""


class Ottilie(EdelSteinReichBot):
    """Prices everything, for everybody."""

    def __init__(self) -> None:
        self.habits = Habits()

    def choose_action(self, view: EdelSteinReichView, options: Sequence[str]) -> str:
        """Choose the action with the best prospects, given what the others may choose."""
        self.habits.watch(view)
        prices = prices_of(view)
        guesses = [
            self.habits.guess(other, wishes(prices, other, options)) for other in view.others
        ]

        def prospect(action: str) -> float:
            share = 1.0 if action == "free" else expected_share(action, guesses)
            return share * worth(prices, view.seat, action)

        return self.choose_best(options, prospect)

    def open_barter(self, view: EdelSteinReichBarterView, options: Sequence[str]) -> str:
        """Make a fair offer; if there is none that pays, let them have it."""
        prices, action = prices_of(view), view.barter.action
        offer = prices.fair_offer(options, lambda seat: worth(prices, seat, action))
        return offer or options[0]

    def offer_single(self, view: EdelSteinReichBarterView, options: Sequence[str]) -> str:
        """Offer any gem that costs less than the action brings."""
        prices = prices_of(view)
        costs = {move: prices.gems(view.seat, Offer.parse(move)) for move in options[1:]}
        cheapest = min(costs, key=lambda move: costs[move])
        acting = worth(prices, view.seat, view.barter.action)
        return cheapest if costs[cheapest] < acting else "decline"

    def answer_offer(self, view: EdelSteinReichAnswerView, options: Sequence[str]) -> str:
        """Accept what is as good as acting at a fair price."""
        prices, action = prices_of(view), view.barter.action
        return prices.answer(options, lambda seat: worth(prices, seat, action))

    def choose_source(self, view: EdelSteinReichEventView, options: Sequence[str]) -> str:
        """Take the open card, unless an unseen one promises more."""
        seen = card_worth(prices_of(view), view.seat, view.event)
        return "open" if seen >= UNSEEN else "hidden"

    def use_event(self, view: EdelSteinReichUseView, options: Sequence[str]) -> str:
        """Choose the use that helps her most, and hurts whom it should."""
        prices = prices_of(view)
        return self.choose_best(options, lambda move: use_worth(prices, move))

    def trade_free(self, view: EdelSteinReichView, options: Sequence[str]) -> str:
        """Give the gem she needs least for the two she needs most."""
        prices = prices_of(view)
        return self.choose_best(options, lambda move: prices.trade(view.seat, move))

    def pick_free(self, view: EdelSteinReichView, options: Sequence[str]) -> str:
        """Take the gem she needs most."""
        prices = prices_of(view)
        return self.choose_best(options, lambda move: prices.gem(view.seat, colour_of(move)))


def prices_of(view: EdelSteinReichView) -> GemPrices:
    """Return the prices of gems in this phase."""
    return GemPrices(view, view.phase)


def worth(prices: GemPrices, seat: int, action: str) -> float:
    """Return what an action brings to a seat."""
    view = prices.view
    card = CARDS[view.seats[seat].card]
    if action == "money":
        return float(card["money"])
    if action == "gems":
        return prices.gems(seat, Offer(*map(min, card["gems"], view.supply)))
    if action == "free":
        # One gem more than before: two for one if nobody else comes, otherwise simply one.
        return prices.best_gem(seat)
    return max(UNSEEN, card_worth(prices, seat, view.event)) if view.event else UNSEEN


def wishes(prices: GemPrices, seat: int, options: Sequence[str]) -> dict[str, float]:
    """Return how likely a seat chooses each action: the better it is for them, the more so."""
    return as_chances({action: worth(prices, seat, action) ** 2 for action in options})


def card_worth(prices: GemPrices, seat: int, card: str) -> float:
    """Return what an event card is worth to a seat."""
    kind = CARDS[card]["kind"]
    seats = prices.view.seats
    gems = seats[seat].gems
    leading = [c for c in range(4) if gems[c] >= max(one.gems[c] for one in seats)]
    if kind == "certificate":
        return CERTIFICATE
    if kind == "every_sole_majority":
        return 2.5 * len(leading)
    if kind.startswith(("majority_bonus", "per_gem")):
        c = ("red", "yellow", "green", "blue").index(kind.rsplit("_", 1)[1])
        return gems[c] + 1.0 if kind.startswith("per_gem") else (5.0 if c in leading else 2.0)
    if kind == "take_three":
        return 2.5 * prices.best_gem(seat)
    if kind == "swap_one":
        return 2.0
    return 1.5


def use_worth(prices: GemPrices, move: str) -> float:
    """Return what using an immediate event card like this is worth to her."""
    view, price = prices.view, prices.gem
    me, gems = view.seat, view.me.gems
    word, *details = move.split()
    if word == "take":
        return 3 * price(me, details[0])
    if word == "swap":
        give, other, take = details
        gain = price(me, take) - price(me, give)
        return gain + (price(int(other), take) - price(int(other), give)) / 2
    if word == "strip":
        return sum(price(int(target[0]), target[1]) for target in details)
    if word == "score":
        c = COLOURS.index(details[0])
        alone = gems[c] > max(view.seats[other].gems[c] for other in view.others)
        return VALUE[c] / 2 - gems[c] / 2 * price(me, details[0]) if alone else -1.0
    if word == "use":
        return adjusting(prices)
    return 0.0


def adjusting(prices: GemPrices) -> float:
    """Return what it brings to bring two colours to four, or to halve what everybody has."""
    view = prices.view
    kind = CARDS[view.using]["kind"]
    if kind == "everyone_halves":
        average = sum(sum(seat.gems) for seat in view.seats) / len(view.seats)
        return float(average - sum(view.me.gems))
    colours = "RB" if kind == "adjust_red_blue" else "YG"
    missing: dict[str, int] = {c: ENOUGH - view.me.gems[COLOURS.index(c)] for c in colours}
    return sum(count * prices.gem(view.seat, colour) for colour, count in missing.items())
