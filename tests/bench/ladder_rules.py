"""The ladder's own rule, and those it is compared with: chance, and what the ladder did before."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from bots_sdk.rating.skill import quality
from league.ladder.matchmaking.pairing import Candidate, Matchmaker


@dataclass(frozen=True, slots=True)
class Situation:
    """What a rule knows of a ladder."""

    candidates: Sequence[Candidate]
    matches: Mapping[int, int]
    """Of each bot, over all its versions."""
    table_counts: Mapping[int, int]
    recent_tables: Sequence[Sequence[int]]


Rule = Callable[[Situation, int, Random], list[list[int]]]


def by_lesson(ladder: Situation, count: int, rng: Random) -> list[list[int]]:
    """Make the tables that the ladder makes. This one does not rest when all are settled."""
    matchmaker = Matchmaker(ladder.candidates, ladder.table_counts, ladder.recent_tables, rng)
    tables = [matchmaker.make_table() or [] for _ in range(count)]
    return [[one.bot for one in table] for table in tables]


def by_chance(ladder: Situation, count: int, rng: Random) -> list[list[int]]:
    """Seat anybody with anybody."""
    bots = [one.bot for one in ladder.candidates]
    return [rng.sample(bots, size) for size in _sizes(ladder, count, rng)]


def by_fewest_matches(ladder: Situation, count: int, rng: Random) -> list[list[int]]:
    """Serve the fewest matches up to 60, then the highest sigma, then the longest wait; sample
    opponents by quality.
    """
    played = dict(ladder.matches)
    waited = {one.bot: one.waited_seconds for one in ladder.candidates}
    tables = []
    for size in _sizes(ladder, count, rng):
        served = min(
            ladder.candidates,
            key=lambda one: (
                min(played[one.bot], 60),
                -round(one.rating.sigma, 1),
                -waited[one.bot],
            ),
        )
        others = [one for one in ladder.candidates if one is not served]
        weights = [max(0.02, quality(served.rating, one.rating)) for one in others]
        table = [served.bot]
        while len(table) < size:
            (other,) = rng.choices(others, weights)
            if other.bot not in table:
                table.append(other.bot)
        for bot in table:
            played[bot] += 1
            waited[bot] = 0.0
        tables.append(table)
    return tables


def _sizes(ladder: Situation, count: int, rng: Random) -> list[int]:
    """Return the rarest sizes of tables, one after the other."""
    counts, sizes = dict(ladder.table_counts), []
    for _ in range(count):
        fewest = min(counts.values())
        sizes.append(rng.choice([size for size in counts if counts[size] == fewest]))
        counts[sizes[-1]] += 1
    return sizes


RULES: dict[str, Rule] = {
    "ours": by_lesson,
    "chance": by_chance,
    "former": by_fewest_matches,
}
