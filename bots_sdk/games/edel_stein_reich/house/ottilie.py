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

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from bots_sdk import View
from bots_sdk.games.edel_stein_reich import EdelSteinReichBot, Offer
from engine.games.edel_stein_reich import GAME

CARDS = GAME.catalogue
COLOURS = "RYGB"
VALUE = (14, 12, 10, 8)

CLOSE = (0.22, 0.2, 0.14, 0.08, 0.04)
"""What a gem adds, as a part of its colour's value, by the distance to the best rival."""
LATER = (0.0, 0.09, 0.07, 0.0)
"""The same for the phases to come, by the current phase."""
CERTIFICATE = 5.0
UNSEEN = 3.0
PATIENCE = 6
"""After so many rounds a neighbour's habits count as much as its cards."""
FAIR = 0.4
"""The part of an action's worth for which it changes hands."""
ENOUGH = 4
"""To this number two of the event cards bring two colours."""
PARCEL = 3
"""She never offers more gems at a time."""


class Ottilie(EdelSteinReichBot):
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
        """A fair offer; if there is none that pays, let them have it."""
        return self.fair_offer(view, options) or options[0]

    def offer_single(self, view: View, options: Sequence[str]) -> str:
        """Any gem that costs less than the action brings."""
        costs = {move: parcel(view, view.seat, Offer.parse(move)) for move in options[1:]}
        mine = min(costs, key=lambda move: costs[move])
        return mine if costs[mine] < worth(view, view.seat, view.barter.action) else "decline"

    def answer_offer(self, view: View, options: Sequence[str]) -> str:
        """Accept what is as good as acting at a fair price."""
        offered = Offer.of(view.barter.offer)
        mine = self.fair_offer(view, options)
        if mine is None:
            return "accept"
        acting = worth(view, view.seat, view.barter.action)
        cost = parcel(view, view.seat, Offer.parse(mine))
        return "accept" if parcel(view, view.seat, offered) >= acting - cost else mine

    def fair_offer(self, view: View, options: Sequence[str]) -> str | None:
        """Of the offers they can hardly refuse, the one that costs her least."""
        me, barter = view.seat, view.barter
        other = sum(barter.seats) - me
        enough = worth(view, other, barter.action) * FAIR
        affordable = worth(view, me, barter.action)
        fair = {
            str(offer): parcel(view, me, offer)
            for offer in parcels(view.me.gems)
            if parcel(view, other, offer) >= enough and offer in options
        }
        best = min(fair, key=lambda move: fair[move], default=None)
        return best if best and fair[best] < affordable else None

    def choose_source(self, view: View, options: Sequence[str]) -> str:
        """The open card, unless an unseen one promises more."""
        return "open" if card_worth(view, view.seat, view.event) >= UNSEEN else "hidden"

    def use_event(self, view: View, options: Sequence[str]) -> str:
        """The use that helps her most, and hurts whom it should."""
        return self.choose_best(options, lambda move: use_worth(view, move))

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
    return VALUE[c] * (CLOSE[distance] + LATER[view.phase])


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
    if action == "money":
        return float(card["money"])
    if action == "gems":
        return parcel(view, seat, Offer(*map(min, card["gems"], view.supply)))
    if action == "free":
        # One gem more than before: two for one if nobody else comes, otherwise simply one.
        return max(price(view, seat, colour) for colour in COLOURS)
    return max(UNSEEN, card_worth(view, seat, view.event)) if view.event else UNSEEN


def wishes(view: View, seat: int, options: Sequence[str]) -> dict[str, float]:
    """How likely a seat chooses each action: the better it is for them, the more so."""
    eager = {action: worth(view, seat, action) ** 2 for action in options}
    total = sum(eager.values())
    return {action: value / total for action, value in eager.items()}


def card_worth(view: View, seat: int, card: str) -> float:
    """What an event card is worth to a seat."""
    kind = CARDS[card]["kind"]
    gems = view.seats[seat].gems
    leading = [c for c in range(4) if gems[c] >= max(s.gems[c] for s in view.seats)]
    if kind == "certificate":
        return CERTIFICATE
    if kind == "every_sole_majority":
        return 2.5 * len(leading)
    if kind.startswith(("majority_bonus", "per_gem")):
        c = ("red", "yellow", "green", "blue").index(kind.rsplit("_", 1)[1])
        return gems[c] + 1.0 if kind.startswith("per_gem") else (5.0 if c in leading else 2.0)
    if kind == "take_three":
        return 2.5 * max(price(view, seat, colour) for colour in COLOURS)
    if kind == "swap_one":
        return 2.0
    return 1.5


def use_worth(view: View, move: str) -> float:
    """What using an immediate event card like this is worth to her."""
    me, gems = view.seat, view.me.gems
    word, *said = move.split()
    if word == "take":
        return 3 * price(view, me, said[0])
    if word == "swap":
        give, other, take = said
        gain = price(view, me, take) - price(view, me, give)
        return gain + (price(view, int(other), take) - price(view, int(other), give)) / 2
    if word == "strip":
        return sum(price(view, int(named[0]), named[1]) for named in said)
    if word == "score":
        c = COLOURS.index(said[0])
        alone = gems[c] > max(view.seats[other].gems[c] for other in view.others)
        return VALUE[c] / 2 - gems[c] / 2 * price(view, me, said[0]) if alone else -1.0
    if word == "use":
        return adjusting(view)
    return 0.0


def adjusting(view: View) -> float:
    """What it brings to bring two colours to four, or to halve what everybody has."""
    kind = CARDS[view.using]["kind"]
    if kind == "everyone_halves":
        average = sum(sum(seat.gems) for seat in view.seats) / len(view.seats)
        return float(average - sum(view.me.gems))
    colours = "RB" if kind == "adjust_red_blue" else "YG"
    missing: dict[str, int] = {c: ENOUGH - view.me.gems[COLOURS.index(c)] for c in colours}
    return sum(count * price(view, view.seat, colour) for colour, count in missing.items())
