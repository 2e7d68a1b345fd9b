"""The chance to win, by simulating the rest of a tournament many times.

Each entry has the rating of the ladder. In every simulation it draws its true strength once; at a
table the strength and a bit of luck decide. Opponents are drawn at random in every round
instead of being paired: that is quick and changes the chances little.
"""

from collections.abc import Mapping
from random import Random

from bots_sdk.rating.skill import BETA, Rating
from league.tournaments.planning.plan import EntryId

SIMULATIONS = 400


def chances(
    points: Mapping[EntryId, float],
    ratings: Mapping[EntryId, Rating],
    scheme: tuple[int, ...],
    rounds_left: int,
    games_per_table: int = 1,
    seed: str = "",
) -> dict[EntryId, float]:
    """Return how likely each of these entries is to end with the most points."""
    rng = Random(f"{seed} chances")
    wins = dict.fromkeys(points, 0.0)
    for _ in range(SIMULATIONS if points else 0):
        final = _simulate(points, ratings, scheme, rounds_left, games_per_table, rng)
        best = max(final.values())
        winners = [entry for entry, total in final.items() if total == best]
        for entry in winners:
            wins[entry] += 1 / len(winners)
    return {entry: count / SIMULATIONS for entry, count in wins.items()}


def _simulate(
    points: Mapping[EntryId, float],
    ratings: Mapping[EntryId, Rating],
    scheme: tuple[int, ...],
    rounds_left: int,
    games_per_table: int,
    rng: Random,
) -> dict[EntryId, float]:
    """Play the remaining rounds once and return the final points."""
    final = dict(points)
    beliefs = {entry: ratings.get(entry, Rating()) for entry in points}
    strength = {entry: rng.gauss(one.mu, one.sigma) for entry, one in beliefs.items()}
    # Over many games of one table luck evens out.
    luck = BETA / games_per_table**0.5
    order = list(points)
    for _ in range(rounds_left):
        rng.shuffle(order)
        for at in range(0, len(order), len(scheme)):
            table = order[at : at + len(scheme)]
            table.sort(key=lambda entry: -rng.gauss(strength[entry], luck))
            for entry, worth in zip(table, scheme, strict=False):
                final[entry] += worth * games_per_table
    return final
