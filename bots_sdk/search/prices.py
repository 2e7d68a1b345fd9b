"""What gems are worth to one seat, by a price list or by the races for majorities; fair offers.

Everything here reads views, so it needs no engine and costs next to nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement

from bots_sdk.bot import View
from bots_sdk.offers import COLOURS, Offer

VALUE = (14, 12, 10, 8)
"""What the majority of each colour is paid."""
LIST_PRICE = (2.4, 2.0, 1.7, 1.4)
"""About a sixth of it."""

CLOSE_RACE = (0.22, 0.2, 0.14, 0.08, 0.04)
"""What a gem adds, as a part of its colour's value, by the distance to the best rival."""
LATER = (0.0, 0.09, 0.07, 0.0)
"""The same for the scorings to come, by the current phase or stage."""
FAIR_PART = 0.4
"""The part of an action's worth for which it changes hands."""
MAX_GEMS_OFFERED = 3
"""Fair offers have no more gems than this."""


def list_price(gems: Iterable[int]) -> float:
    """Return the price of some gems by the list."""
    return sum(count * price for count, price in zip(gems, LIST_PRICE, strict=True))


def answer_by_list(view: View, options: Sequence[str], limit: float) -> str:
    """Accept gems worth `limit`; otherwise offer one gem more, unless that costs more than it."""
    standing = view.barter.offer
    offer = Offer.cheapest(view.me.gems, sum(standing) + 1)
    if list_price(standing) >= limit or offer is None:
        return "accept"
    return str(offer) if list_price(offer) <= limit and offer in options else "accept"


def raise_a_little(view: View, options: Sequence[str], enough: int) -> str:
    """Accept so many gems; answer fewer with the lowest offer there is."""
    return "accept" if sum(view.barter.offer) >= enough or len(options) == 1 else options[1]


def colour_of(move: str) -> str:
    """Return the colour that a move names: `pick R`, `take R` or `score R`."""
    _, colour = move.split()
    return colour


def count_of_colour(view: View, move: str) -> int:
    """Return how many gems the seat has of the colour that a move such as `pick R` names."""
    count: int = view.me.gems[COLOURS.index(colour_of(move))]
    return count


class GemPrices:
    """What gems are worth to each seat: most where the race for their colour is close."""

    def __init__(self, view: View, phase: int) -> None:
        """Take the prices of a view; `phase` is its phase or stage, from 1 to 3."""
        self.view = view
        self.later = LATER[phase]

    def gem(self, seat: int, colour: str) -> float:
        """Return what one more gem of a colour is worth to a seat."""
        c = COLOURS.index(colour)
        seats = self.view.seats
        rival = max(one.gems[c] for number, one in enumerate(seats) if number != seat)
        distance = min(abs(seats[seat].gems[c] - rival), len(CLOSE_RACE) - 1)
        return VALUE[c] * (CLOSE_RACE[distance] + self.later)

    def best_gem(self, seat: int) -> float:
        """Return what the gem is worth that a seat needs most."""
        return max(self.gem(seat, colour) for colour in COLOURS)

    def gems(self, seat: int, offer: Offer) -> float:
        """Return what some gems are worth to a seat."""
        return sum(
            count * self.gem(seat, colour)
            for count, colour in zip(offer, COLOURS, strict=True)
            if count
        )

    def trade(self, seat: int, move: str) -> float:
        """Return what a seat gains by a move such as `trade B RY`."""
        _, give, take = move.split()
        return sum(self.gem(seat, colour) for colour in take) - self.gem(seat, give)

    def fair_offer(self, options: Sequence[str], worth: Callable[[int], float]) -> str | None:
        """Return the cheapest offer that the other can hardly refuse; None if none pays.

        `worth` says what the action is worth to a seat.
        """
        view = self.view
        other = sum(view.barter.seats) - view.seat
        enough = worth(other) * FAIR_PART
        costs = {
            str(offer): self.gems(view.seat, offer)
            for offer in small_offers(view.me.gems)
            if self.gems(other, offer) >= enough and offer in options
        }
        best = min(costs, key=lambda move: costs[move], default=None)
        return best if best and costs[best] < worth(view.seat) else None

    def answer(self, options: Sequence[str], worth: Callable[[int], float]) -> str:
        """Accept what is as good as acting at a fair price; otherwise make a fair offer."""
        view = self.view
        offer = self.fair_offer(options, worth)
        if offer is None:
            return "accept"
        by_acting = worth(view.seat) - self.gems(view.seat, Offer.parse(offer))
        by_accepting = self.gems(view.seat, Offer.of(view.barter.offer))
        return "accept" if by_accepting >= by_acting else offer


def small_offers(gems: Sequence[int]) -> Iterator[Offer]:
    """Yield all offers of a few gems out of a hand."""
    for count in range(1, MAX_GEMS_OFFERED + 1):
        for colours in combinations_with_replacement(range(len(COLOURS)), count):
            offer = Offer.of([colours.count(c) for c in range(len(COLOURS))])
            if offer.fits(gems):
                yield offer
