"""How Edel, Stein & Reich is played out when the chances in a match are estimated."""

from bots_sdk.chances.barter import BarterPolicy, price
from engine.barter.gems import COLOURS, INDEX, SHIFT
from engine.games.edel_stein_reich.cards import EVENT, GEM_DECK, GEMS, MONEY
from engine.games.edel_stein_reich.moves import ACTIONS
from engine.games.edel_stein_reich.state import USE, State
from engine.rng import Rng

EVENT_WORTH = 35
FREE_WORTH = 30

WORTHS = {
    card: {
        "money": 10 * MONEY[card],
        "gems": price(GEMS[card]),
        "event": EVENT_WORTH,
        "free": FREE_WORTH,
    }
    for card in GEM_DECK
}


class EdelSteinReichPolicy(BarterPolicy[State]):
    """Knows what the gem cards are worth, and uses event cards against the others."""

    def shuffle(self, state: State, rng: Rng) -> None:
        """Shuffle both piles; which cards were set aside face down stays as it is."""
        rng.shuffle(state.gem_pile)
        rng.shuffle(state.event_pile)

    def other_move(self, state: State, rng: Rng) -> str:
        """Use an event card if that pays, as greedy does."""
        if state.decision != USE:
            return self.any_move(state.moves, rng)
        kind, moves = EVENT[state.using or ""], state.moves
        if kind == "half_value_scoring":
            return next((move for move in moves if self._leads(state, move)), "decline")
        if kind == "swap_one":
            return max(moves, key=_ranks_gained)
        return "decline" if kind == "everyone_halves" else moves[1]

    @staticmethod
    def _leads(state: State, move: str) -> bool:
        """Return whether the seat asked has the most of the colour that `score R` names."""
        if move == "decline":
            return False
        _, colour = move.split()
        shift = SHIFT[INDEX[colour]]
        counts = [gems >> shift & 31 for gems in state.gems]
        own = counts.pop(state.asked[0])
        return own > max(counts)


def _ranks_gained(move: str) -> int:
    """Return by how many ranks the gem taken by `swap B 2 R` is better than the gem given."""
    if move == "decline":
        return 0
    _, given, _, taken = move.split()
    return COLOURS.index(given) - COLOURS.index(taken)


POLICY = EdelSteinReichPolicy(WORTHS, ACTIONS)
