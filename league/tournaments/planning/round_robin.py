"""Round robin: everybody meets everybody, as evenly as possible.

A whole turn has as many rounds as entries, or one less if the tables use up everybody. Then all
have sat out equally often, every seat of an entry differs by at most two, and each pair has met
`seats - 1` times on average: exactly, if that can be; at two seats always; otherwise the most and
the least frequent pair differ by at most two (three at five seats), and no pair has never met.
Fewer rounds are a part of a turn, more are a second one with the seats moved on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.rng import Rng
from league.tournaments.planning.config import MAX_ROUNDS, Config, Problem
from league.tournaments.planning.cyclic import cycle, turn
from league.tournaments.planning.plan import Entry, EntryId, Round, byes, playing, rotated, shuffled
from league.tournaments.planning.seating import seated


@dataclass(frozen=True, kw_only=True)
class RoundRobin(Config):
    """The choices of a round robin."""

    rounds: int = 0
    """0 for a whole turn."""

    def problems(self) -> list[Problem]:
        """Return everything that is wrong with these choices."""
        problems = super().problems()
        if not 0 <= self.rounds <= MAX_ROUNDS:
            problems.append(Problem("rounds", f"Choose up to {MAX_ROUNDS} rounds, or 0 for all."))
        return problems

    def rounds_for(self, entries: int) -> int:
        """Return the number of rounds for this number of entries."""
        return self.rounds or turn(entries, self.seats)


def table_counts(config: RoundRobin, entries: int) -> list[int]:
    """Return the number of tables of each round."""
    return [entries // config.seats] * config.rounds_for(entries)


def next_round(
    config: RoundRobin, entries: Sequence[Entry], rounds: Sequence[Round]
) -> Round | None:
    """Return the round after these, or None when all are played."""
    return draw(config, config.rounds_for(len(entries)), entries, rounds)


def draw(
    config: Config, total: int, entries: Sequence[Entry], rounds: Sequence[Round]
) -> Round | None:
    """Return the next of `total` rounds of the cycle, without those who left."""
    everybody = sorted(entries, key=lambda entry: (entry.rank, entry.id))
    left = {entry.id for entry in playing(entries)}
    if len(rounds) >= total or len(left) < config.seats:
        return None
    length = turn(len(everybody), config.seats)
    again, index = divmod(len(rounds), length)
    tables, resting = cycle(len(everybody), config.seats, total % length == 0)[index]
    order = shuffled([entry.id for entry in everybody], Rng(f"{config.seed} positions"))
    groups = [rotated(tuple(order[place] for place in table), again) for table in tables]
    rested = [order[place] for place in resting]
    if len(left) < len(everybody):
        return _close_ranks(config, groups, rested, left, rounds)
    planned = (config.table(number, group) for number, group in enumerate(groups, 1))
    return Round(len(rounds) + 1, tuple(planned), tuple(rested))


def _close_ranks(
    config: Config,
    groups: Sequence[Sequence[EntryId]],
    rested: Sequence[EntryId],
    left: set[EntryId],
    rounds: Sequence[Round],
) -> Round:
    """Fill up tables that somebody left; who sat out least sits out first."""
    whole = [group for group in groups if left.issuperset(group)]
    broken = [entry for group in groups if not left.issuperset(group) for entry in group]
    sat_out = byes(rounds)
    pool = sorted((e for e in [*broken, *rested] if e in left), key=lambda e: sat_out[e])
    spare = len(pool) % config.seats
    filled = [pool[at : at + config.seats] for at in range(spare, len(pool), config.seats)]
    return Round(len(rounds) + 1, seated(config, [*whole, *filled], rounds), tuple(pool[:spare]))
