"""How Basari is played out when the chances in a match are estimated."""

from bots_sdk.chances.barter import NO_CARD, BarterPolicy, price
from engine.games.basari.cards import DECK, GEMS, POINTS
from engine.games.basari.moves import ACTIONS
from engine.games.basari.state import State
from engine.rng import Rng

WORKERS_WORTH = 30
FREE_WORTH = 30

WORTHS = {
    card: {
        "workers": WORKERS_WORTH,
        "points": 10 * POINTS[card],
        "gems": price(GEMS[card]),
        "free": FREE_WORTH,
    }
    for card in DECK
} | {NO_CARD: {"workers": WORKERS_WORTH, "points": 1, "gems": 1, "free": FREE_WORTH}}


class BasariPolicy(BarterPolicy[State]):
    """Knows what the bazaar cards are worth."""

    def shuffle(self, state: State, rng: Rng) -> None:
        """Shuffle the pile."""
        rng.shuffle(state.pile)


POLICY = BasariPolicy(WORTHS, ACTIONS)
