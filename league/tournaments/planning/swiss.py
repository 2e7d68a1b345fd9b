"""Swiss pods: every round, neighbours in the standings meet, with as few rematches as possible.

In the first round the seeds are spread over the tables. Later rounds are matched: entries to pairs,
pairs to fours; at odd tables a last entry joins each. A rematch weighs more than any distance in
the standings. Swaps repair what the matching of whole groups could not see.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from networkx import Graph, max_weight_matching

from league.tournaments.planning.config import Config, Problem
from league.tournaments.planning.plan import Entry, EntryId, Round, byes, meetings, playing
from league.tournaments.planning.scoring import totals
from league.tournaments.planning.seating import seated

MAX_SWISS_ROUNDS = 20
NEAR = 24
"""How many groups up and down the standings a group looks for partners first."""

Group = tuple[EntryId, ...]
Apart = Callable[[EntryId, EntryId], int]
"""The cost of seating two entries at one table."""


@dataclass(frozen=True, kw_only=True)
class Swiss(Config):
    """The choices of a Swiss tournament."""

    rounds: int = 5

    def problems(self) -> list[Problem]:
        """Return everything that is wrong with these choices."""
        problems = super().problems()
        if not 1 <= self.rounds <= MAX_SWISS_ROUNDS:
            problems.append(Problem("rounds", f"Choose 1 to {MAX_SWISS_ROUNDS} rounds."))
        return problems


def table_counts(config: Swiss, entries: int) -> list[int]:
    """Return the number of tables of each round."""
    return [entries // config.seats] * config.rounds


def next_round(config: Swiss, entries: Sequence[Entry], rounds: Sequence[Round]) -> Round | None:
    """Return the round after these, or None when all are played."""
    field = [entry.id for entry in playing(entries)]
    if len(rounds) >= config.rounds or len(field) < config.seats:
        return None
    points = totals(config, rounds)
    order = sorted(field, key=lambda entry: -points[entry])
    resting = _resting(order, len(field) % config.seats, rounds)
    if rounds:
        groups = pods(order, resting, config.seats, rounds)
    else:
        groups = _spread([entry for entry in order if entry not in resting], config.seats)
    return Round(len(rounds) + 1, seated(config, groups, rounds), tuple(resting))


def _resting(order: Sequence[EntryId], count: int, rounds: Sequence[Round]) -> list[EntryId]:
    """Return who sits out: of those who sat out least, the last in the standings."""
    sat_out = byes(rounds)
    last_first = list(reversed(order))
    return sorted(last_first, key=lambda entry: sat_out[entry])[:count]


def _spread(order: Sequence[EntryId], seats: int) -> list[Group]:
    """Distribute the seeds over the tables in snake order."""
    count = len(order) // seats
    rows = [order[at : at + count] for at in range(0, len(order), count)]
    there_and_back = [row[::-1] if index % 2 else row for index, row in enumerate(rows)]
    return list(zip(*there_and_back, strict=True))


def pods(
    order: Sequence[EntryId], resting: list[EntryId], seats: int, rounds: Sequence[Round]
) -> list[Group]:
    """Return full tables of neighbours in the standings with few rematches.

    If it takes a rematch away, somebody who sat out as often swaps places with one of `resting`.
    """
    position = {entry: index for index, entry in enumerate(order)}
    met = meetings(rounds)
    rematch = len(order) ** 3 * seats

    def apart(one: EntryId, other: EntryId) -> int:
        again = met[frozenset((one, other))]
        return rematch * again * again + (position[one] - position[other]) ** 2

    groups = _grow([entry for entry in order if entry not in resting], seats, apart)
    _repair(groups, resting, byes(rounds), apart, rematch)
    top_first = sorted(groups, key=lambda group: sum(position[entry] for entry in group))
    return [tuple(sorted(group, key=position.__getitem__)) for group in top_first]


def _grow(order: Sequence[EntryId], seats: int, apart: Apart) -> list[list[EntryId]]:
    """Return groups of this size, by doubling; at odd sizes the middle of every row joins last."""
    if seats == 1:
        return [[entry] for entry in order]
    if seats % 2:
        last = order[seats // 2 :: seats]
        rest = [entry for index, entry in enumerate(order) if index % seats != seats // 2]
        return _join(_grow(rest, seats - 1, apart), [[entry] for entry in last], apart)
    halves = _grow(order, seats // 2, apart)
    return _join(halves, halves, apart)


def _join(
    ones: list[list[EntryId]], others: list[list[EntryId]], apart: Apart
) -> list[list[EntryId]]:
    """Join groups in twos at the least cost: within one list, or across two."""
    pairs = [
        (i, j) for i in range(len(ones)) for j in range(i + 1 if ones is others else 0, len(others))
    ]
    near = [(i, j) for i, j in pairs if abs(i - j) <= NEAR]
    pair_count = len(ones) // 2 if ones is others else len(ones)
    matched = _match(near, ones, others, apart)
    # Neighbours first, because the time grows with the edges; everybody, if they do not suffice.
    if len(matched) < pair_count:
        matched = _match(pairs, ones, others, apart)
    return [ones[i] + others[j] for i, j in sorted(matched)]


def _match(
    pairs: Sequence[tuple[int, int]],
    ones: list[list[EntryId]],
    others: list[list[EntryId]],
    apart: Apart,
) -> list[tuple[int, int]]:
    """Return which of these pairs of groups to join."""
    offset = 0 if ones is others else len(ones)
    graph: Graph[int] = Graph()
    for i, j in pairs:
        cost = sum(apart(a, b) for a in ones[i] for b in others[j])
        graph.add_edge(i, offset + j, weight=-cost)
    edges = max_weight_matching(graph, maxcardinality=True)
    return [(min(edge), max(edge) - offset) for edge in edges]


def _repair(
    groups: list[list[EntryId]],
    resting: list[EntryId],
    sat_out: Counter[EntryId],
    apart: Apart,
    rematch: int,
) -> None:
    """Swap entries, best swap first, while that takes rematches away."""

    def change(one: list[EntryId], a: EntryId, other: list[EntryId], b: EntryId) -> int:
        if other is resting:
            return _cost_change(one, a, b, apart) if sat_out[a] == sat_out[b] else 0
        return _cost_change(one, a, b, apart) + _cost_change(other, b, a, apart)

    everywhere = [*groups, resting]
    while again := [group for group in groups if _cost(group, apart) >= rematch]:
        swaps = [
            (change(one, a, other, b), a, b, one, other)
            for one in again
            for other in everywhere
            if other is not one
            for a in one
            for b in other
        ]
        best, a, b, one, other = min(swaps, key=lambda swap: swap[:3], default=(0, 0, 0, [], []))
        if best > -rematch // 2:
            return
        one[one.index(a)], other[other.index(b)] = b, a


def _cost(group: Sequence[EntryId], apart: Apart) -> int:
    return sum(apart(a, b) for a, b in combinations(group, 2))


def _cost_change(group: Sequence[EntryId], old: EntryId, new: EntryId, apart: Apart) -> int:
    """Return the change of cost if a group gets another member: negative is better."""
    return sum(apart(new, entry) - apart(old, entry) for entry in group if entry != old)
