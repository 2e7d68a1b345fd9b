"""How often each seat of an identical table wins, held against the game's own seat effect.

That effect is what players at random show on the same deals. A bot may add chance of its own to
it, and a little more; a bot that decides between equals by their order adds far more.
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import sqrt
from statistics import NormalDist

from bots_sdk import house
from engine.registry import GAMES
from runners.local import load
from runners.match import play
from runners.players import Player, RandomPlayer
from runners.seeds import seat_seed

Shares = list[float]

TOLERANCE = 0.06
"""What a seat may win more or less often than at random, beyond chance."""
ALPHA = 0.05
"""How likely a fair set of tables is called unfair, all comparisons together."""


def shares(game: str, seats: int, deals: int, player: Callable[[str], Player]) -> Shares:
    """Return the share of deals that each seat wins; a shared first place counts in parts."""
    won = [0.0] * seats
    for deal in range(deals):
        seed = f"deal {deal}"
        players: Sequence[Player] = [player(seat_seed(seed, seat)) for seat in range(seats)]
        places = play(GAMES[game], players, seed).outcome.placements
        for seat, place in enumerate(places):
            won[seat] += (place == 1) / places.count(1)
    return [wins / deals for wins in won]


def shares_of_bot(game: str, name: str, seats: int, deals: int) -> Shares:
    """Return the shares at a table with a house bot in every seat."""
    return shares(game, seats, deals, load(house.path(game, name)))


@cache
def shares_at_random(game: str, seats: int, deals: int) -> Shares:
    """Return the shares at a table where everybody plays at random."""
    return shares(game, seats, deals, RandomPlayer)


def allowed_difference(share: float, at_random: float, deals: int, comparisons: int) -> float:
    """Return how far the two may lie apart: the corrected interval, and a little beyond it."""
    deviation = sqrt((share * (1 - share) + at_random * (1 - at_random)) / deals)
    return TOLERANCE + NormalDist().inv_cdf(1 - ALPHA / (2 * comparisons)) * deviation
