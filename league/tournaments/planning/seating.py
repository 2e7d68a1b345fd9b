"""Which entry takes which seat: the one that had it least often."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from engine.rng import Rng
from league.tournaments.planning.config import Config
from league.tournaments.planning.plan import EntryId, Round, Table, seats_taken, shuffled


def seat(
    entries: Sequence[EntryId], taken: Counter[tuple[EntryId, int]], games: int = 1
) -> tuple[EntryId, ...]:
    """Return the entries in the seat order that best balances the seats they had before.

    The seats rotate with each game; once around the table is balanced by itself.
    """
    size = len(entries)
    moves = range(games % size)
    if not moves:
        return tuple(entries)

    def unevenness(order: tuple[EntryId, ...]) -> int:
        return sum(
            taken[entry, (place + move) % size]
            for place, entry in enumerate(order)
            for move in moves
        )

    return min(permutations(entries), key=unevenness)


def seated(
    config: Config, groups: Sequence[Sequence[EntryId]], rounds: Sequence[Round]
) -> tuple[Table, ...]:
    """Return tables for the next round, with balanced seats; chance decides among equals."""
    taken = seats_taken(rounds)
    rng = Rng(f"{config.seed} seats {len(rounds) + 1}")
    return tuple(
        config.table(number, seat(shuffled(group, rng), taken, config.games_per_table))
        for number, group in enumerate(groups, 1)
    )
