"""Who takes which seat: those who had a seat least often take it next."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from engine.rng import Rng
from league.tournaments.planning.config import Config
from league.tournaments.planning.plan import EntryId, Round, Table, seats_taken, shuffled


def seat(
    entries: Sequence[EntryId], taken: Counter[tuple[EntryId, int]], games: int = 1
) -> tuple[EntryId, ...]:
    """The entries in the seat order that evens out best what each of them had before.

    With each of the games the seats move on by one; once around the table is even by itself.
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
    """Tables for the next round, seated by what was before; chance decides among equals."""
    taken = seats_taken(rounds)
    rng = Rng(f"{config.seed} seats {len(rounds) + 1}")
    return tuple(
        config.table(number, seat(shuffled(group, rng), taken, config.games_per_table))
        for number, group in enumerate(groups, 1)
    )
