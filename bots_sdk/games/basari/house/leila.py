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

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from bots_sdk import View
from bots_sdk.games.basari import BasariBot, Offer
from engine.games.basari import GAME

CARDS = GAME.catalogue
COLOURS = "RYGB"
VALUE = (14, 12, 10, 8)

CLOSE = (0.22, 0.2, 0.14, 0.08, 0.04)
"""What a gem adds, as a part of its colour's value, by the distance to the best rival."""
LATER = (0.0, 0.09, 0.07, 0.0)
"""The same for the stages to come, by the current stage."""
ENOUGH, AWARD = 15, 12
PATIENCE = 6
"""After so many rounds a neighbour's habits count as much as its cards."""
FAIR = 0.4
"""The part of an action's worth for which it changes hands."""
PARCEL = 3
"""She never offers more gems at a time."""


class Leila(BasariBot):
    """Prices everything, for everybody."""

    def __init__(self) -> None:
        self.chosen: Counter[tuple[int, str]] = Counter()
        """How often each seat chose each action."""

    def choose_action(self, view: View, options: Sequence[str]) -> str:
        """The action with the best prospects, the others' likely choices considered."""
        self.watch(view)
        odds = [self.guess(view, other, options) for other in view.others]

        def prospect(action: str) -> float:
            nobody, one = 1.0, 0.0
            for likely in odds:
                chance = likely[action]
                nobody, one = nobody * (1 - chance), one * (1 - chance) + nobody * chance
            share = 1.0 if action == "free" else nobody + one / 2
            return share * worth(view, view.seat, action)

        return self.choose_best(options, prospect)

    def watch(self, view: View) -> None:
        """Remember what everybody chose."""
        for step in view.news:
            if step.t == "choose":
                self.chosen.update(enumerate(step.moves))

    def guess(self, view: View, seat: int, options: Sequence[str]) -> dict[str, float]:
        """How likely a neighbour chooses each action: between what is best and what is usual."""
        wish = wishes(view, seat, options)
        rounds = sum(self.chosen[seat, action] for action in options)
        return {
            action: (PATIENCE * wish[action] + self.chosen[seat, action]) / (PATIENCE + rounds)
            for action in options
        }

    def open_barter(self, view: View, options: Sequence[str]) -> str:
        """A fair offer; if there is none that pays, the least she can say."""
        return self.fair_offer(view, options) or options[0]

    def answer_offer(self, view: View, options: Sequence[str]) -> str:
        """Accept what is as good as acting at a fair price."""
        mine = self.fair_offer(view, options)
        if mine is None:
            return "accept"
        acting = worth(view, view.seat, view.barter.action)
        cost = parcel(view, view.seat, Offer.parse(mine))
        offered = parcel(view, view.seat, Offer.of(view.barter.offer))
        return "accept" if offered >= acting - cost else mine

    def fair_offer(self, view: View, options: Sequence[str]) -> str | None:
        """Of the offers they can hardly refuse, the one that costs her least."""
        me, barter = view.seat, view.barter
        other = sum(barter.seats) - me
        enough = worth(view, other, barter.action) * FAIR
        fair = {
            str(offer): parcel(view, me, offer)
            for offer in parcels(view.me.gems)
            if parcel(view, other, offer) >= enough and offer in options
        }
        best = min(fair, key=lambda move: fair[move], default=None)
        return best if best and fair[best] < worth(view, me, barter.action) else None

    def trade_free(self, view: View, options: Sequence[str]) -> str:
        """Give the gem she needs least for the two she needs most."""

        def gain(move: str) -> float:
            _, give, take = move.split()
            return sum(price(view, view.seat, c) for c in take) - price(view, view.seat, give)

        return self.choose_best(options, gain)

    def pick_free(self, view: View, options: Sequence[str]) -> str:
        """The gem she needs most."""
        return self.choose_best(options, lambda move: price(view, view.seat, move[-1]))


def price(view: View, seat: int, colour: str) -> float:
    """What one more gem of a colour is worth to a seat."""
    c = COLOURS.index(colour)
    mine = view.seats[seat].gems[c]
    rival = max(s.gems[c] for number, s in enumerate(view.seats) if number != seat)
    distance = min(abs(mine - rival), len(CLOSE) - 1)
    return VALUE[c] * (CLOSE[distance] + LATER[view.stage])


def parcel(view: View, seat: int, offer: Offer) -> float:
    """What some gems are worth to a seat."""
    return sum(
        count * price(view, seat, colour)
        for count, colour in zip(offer, COLOURS, strict=True)
        if count
    )


def parcels(gems: Sequence[int]) -> Iterator[Offer]:
    """All offers of a few gems out of a hand."""
    for size in range(1, PARCEL + 1):
        for colours in combinations_with_replacement(range(4), size):
            offer = Offer.of([colours.count(c) for c in range(4)])
            if offer.fits(gems):
                yield offer


def worth(view: View, seat: int, action: str) -> float:
    """What an action brings to a seat."""
    card = CARDS[view.seats[seat].card]
    if action == "points":
        return float(card["points"])
    if action == "gems":
        return parcel(view, seat, Offer(*map(min, card["gems"], view.supply)))
    if action == "free":
        # One gem more than before: two for one if nobody else comes, otherwise simply one.
        return max(price(view, seat, colour) for colour in COLOURS)
    return workers_worth(view, seat)


def workers_worth(view: View, seat: int) -> float:
    """What the workers of one more card are worth to a seat: two or three, usually."""
    mine: int = view.seats[seat].workers
    best = max(s.workers for number, s in enumerate(view.seats) if number != seat)
    if mine >= ENOUGH:
        return 0.0
    if best >= ENOUGH:
        # The stage ends with this round: the card must be enough, or is worth nothing.
        return AWARD * max(0, min(4, mine - (ENOUGH - 5))) / 4
    return AWARD * (0.25 if abs(mine - best) <= 3 else 0.1)


def wishes(view: View, seat: int, options: Sequence[str]) -> dict[str, float]:
    """How likely a seat chooses each action: the better it is for them, the more so."""
    eager = {action: worth(view, seat, action) for action in options}
    total = sum(eager.values())
    return {action: value / total for action, value in eager.items()}
