"""How the two barter games are played out: by a price list, in whole numbers.

The house bot greedy does about the same with views. A playout has no time for views, so this looks
at positions; and it draws among the good actions, because seats that all took the best would meet
at the same one every time.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from bots_sdk.chances.policy import Policy
from engine.barter import bargaining
from engine.barter.gems import ONE, SHIFT
from engine.barter.offers import offer_key, offer_text
from engine.barter.table import CHOOSE, Table
from engine.game import Game
from engine.rng import Rng

T = TypeVar("T", bound=Table)
Worths = Mapping[str, int]
"""What each action is worth, in tenths of the list."""

GEM_PRICES = (24, 20, 17, 14)
"""The list of `bots_sdk.search.prices`, in tenths."""
NO_CARD = ""
"""Stands for the card of a seat that was dealt none."""
LOT_COUNT, _LOT_BITS = 64, 6
_POWER = 3
"""An action that is worth twice as much is chosen eight times as often."""
_KEEP = 1 << 14


def price(gems: int) -> int:
    """Return the price of some packed gems, in tenths."""
    red, yellow, green, blue = GEM_PRICES
    return (
        red * (gems >> 15)
        + yellow * (gems >> 10 & 31)
        + green * (gems >> 5 & 31)
        + blue * (gems & 31)
    )


def lots_of(worths: Worths, actions: Sequence[str]) -> tuple[str, ...]:
    """Return the lots from which a seat draws its action: more of those that are worth more."""
    weights = [worths[action] ** _POWER for action in actions]
    lots: list[str] = []
    for number, action in enumerate(actions, 1):
        lots += [action] * (LOT_COUNT * sum(weights[:number]) // sum(weights) - len(lots))
    return tuple(lots)


@lru_cache(maxsize=_KEEP)
def cheapest(own: int, count: int) -> int:
    """Return the cheapest so many gems of a hand, packed; all of it if it has no more."""
    part = 0
    for c in (3, 2, 1, 0):
        taken = min(own >> SHIFT[c] & 31, count)
        part += taken * ONE[c]
        count -= taken
    return part


class BarterPolicy(Policy[T]):
    """Prefers actions that pay, and trades them for about half of what they are worth."""

    name = "quick greedy bots"

    def __init__(self, worths: Mapping[str, Worths], actions: Mapping[int, Sequence[str]]) -> None:
        """Take the worths by card, and the actions by the number of seats."""
        self.worths = worths
        self.lots = {
            seats: {card: lots_of(own, names) for card, own in worths.items()}
            for seats, names in actions.items()
        }

    def moves(self, game: Game[T], state: T, rng: Rng) -> list[str]:
        """Return a move for every seat that is asked."""
        decision = state.decision
        if decision == CHOOSE:
            bits, lots = rng.bits, self.lots[state.n]
            return [lots[card or NO_CARD][bits(_LOT_BITS)] for card in state.cards]
        if decision == bargaining.REPLY:
            return [self.reply(state, rng)]
        if decision == bargaining.OPEN:
            return [self.opening(state, rng)]
        if decision == bargaining.SINGLE:
            return [state.moves[1]]
        return [self.other_move(state, rng)]

    def other_move(self, state: T, rng: Rng) -> str:
        """Return a move for a decision that is neither about an action nor about an offer."""
        return self.any_move(state.moves, rng)

    def fair_price(self, state: T, rng: Rng) -> int:
        """Return for how much the action may change hands: from a third to over half of it."""
        assert state.barter
        worth = self.worths[state.cards[state.asked[0]] or NO_CARD][state.barter.action]
        return worth * (11 + rng.bits(3)) // 32

    def opening(self, state: T, rng: Rng) -> str:
        """Offer the cheapest gems for about the fair price."""
        count = max(1, self.fair_price(state, rng) // GEM_PRICES[2])
        return offer_text(offer_key(cheapest(state.gems[state.asked[0]], count)))

    def reply(self, state: T, rng: Rng) -> str:
        """Accept the fair price, or bid one gem more if that costs no more than it."""
        assert state.barter
        standing, fair = state.barter.offer, self.fair_price(state, rng)
        if price(standing & 0xFFFFF) < fair:
            bid = cheapest(state.gems[state.asked[0]], (standing >> 20) + 1)
            if price(bid) <= fair and offer_key(bid) > standing:
                return offer_text(offer_key(bid))
        return "accept"
