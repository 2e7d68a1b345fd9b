"""The chance to win, by playing the rest of a tournament many times with dice.

Each entry has a skill as the ladder knows it (`mu` and `sigma`). In every try each entry draws its
true strength once; at a table the strength and a bit of luck decide. Opponents are drawn anew in
every round instead of being matched: that is quick and changes the chances little.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from league.tournaments.planning.plan import EntryId

BETA = 25 / 6
"""How much luck there is in a match, on the scale of the ladder."""
TRIES = 400


@dataclass(frozen=True, slots=True)
class Skill:
    """What the ladder believes about an entry."""

    mu: float = 25.0
    sigma: float = 25 / 3


def chances(
    points: Mapping[EntryId, float],
    skills: Mapping[EntryId, Skill],
    scheme: tuple[int, ...],
    rounds_left: int,
    games_per_table: int = 1,
    seed: str = "",
) -> dict[EntryId, float]:
    """For each entry with points so far, how likely it ends with the most of them."""
    rng = Random(f"{seed} chances")
    wins = dict.fromkeys(points, 0.0)
    for _ in range(TRIES if points else 0):
        final = _played_out(points, skills, scheme, rounds_left, games_per_table, rng)
        best = max(final.values())
        winners = [entry for entry, total in final.items() if total == best]
        for entry in winners:
            wins[entry] += 1 / len(winners)
    return {entry: won / TRIES for entry, won in wins.items()}


def _played_out(
    points: Mapping[EntryId, float],
    skills: Mapping[EntryId, Skill],
    scheme: tuple[int, ...],
    rounds_left: int,
    games_per_table: int,
    rng: Random,
) -> dict[EntryId, float]:
    """One way in which the remaining rounds may go."""
    final = dict(points)
    known = {entry: skills.get(entry, Skill()) for entry in points}
    strength = {entry: rng.gauss(skill.mu, skill.sigma) for entry, skill in known.items()}
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
