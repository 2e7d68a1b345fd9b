"""Cyclic schedules: one round, shifted again and again, in which all meet all.

The entries stand on a circle of places. A *starter* divides the circle into full tables and a few
places that sit out; moving everybody on by one place gives the next round. After a whole turn each
entry has been on every place, so seats and byes are exactly even, and how often two entries meet
depends only on how far apart they stand. If the tables use up everybody, one entry stays in the
middle instead, always at the first table, and the circle is one smaller. This is the circle method
known for two seats, for any number of them.

What is searched for is a starter in which all distances are equally frequent. For two seats it is
known; otherwise the search swaps places until the distances are as even as can be (up to `MODERATE`
entries) or their frequencies differ by at most two (beyond), and settles for the best it has seen.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations

from engine.rng import Rng
from league.tournaments.planning.plan import shuffled
from league.tournaments.planning.seating import seat

MODERATE = 24
STEPS = 20_000

Places = tuple[int, ...]
Starter = tuple[tuple[Places, ...], Places]
"""Tables of places in seat order, and the places that sit out."""


def turn(entries: int, seats: int) -> int:
    """Return the number of rounds of a whole turn."""
    return entries if entries % seats else entries - 1


@lru_cache(maxsize=32)
def cycle(entries: int, seats: int, whole: bool) -> tuple[Starter, ...]:
    """Return every round of a turn, over the positions from 0 to `entries - 1`."""
    tables, resting = starter(entries, seats, whole)
    circle = turn(entries, seats)
    taken: Counter[tuple[int, int]] = Counter()
    rounds = []
    for shift in range(circle):
        moved = [tuple((place + shift) % circle for place in table) for table in tables]
        if not resting:
            moved[0] = seat((*moved[0], entries - 1), taken)
            taken.update((entry, place) for place, entry in enumerate(moved[0]))
        rounds.append((tuple(moved), tuple((place + shift) % circle for place in resting)))
    return tuple(rounds)


@lru_cache(maxsize=256)
def starter(entries: int, seats: int, whole: bool) -> Starter:
    """Return the first round. Without byes, the middle joins the first table, which is one short.

    In a whole turn the byes are even wherever they stand. For less than that they are spread over
    the circle, which makes them differ by at most one after any number of rounds.
    """
    circle, count = turn(entries, seats), entries % seats
    resting = [index * entries // count for index in range(count)]
    if seats == 2:
        tables = tuple((place, circle - place) for place in range(1, (circle + 1) // 2))
        return (tables if count else ((0,), *tables)), tuple(resting)
    rng = Rng(f"starter {entries} {seats}")
    order = shuffled([place for place in range(circle) if place not in resting], rng)
    cuts = range(circle - entries, len(order), seats)
    search = _Search(circle, [order[max(cut, 0) : cut + seats] for cut in cuts], resting)
    met, pairs = circle * (seats - 1) * (entries - count), entries * (entries - 1)
    goal = min(met % pairs, 1) if entries <= MODERATE else 2
    return search.run(goal, whole, rng)


class _Search:
    """Swaps places between tables until the distances within tables are even."""

    def __init__(self, circle: int, tables: list[list[int]], resting: list[int]) -> None:
        self.tables = tables
        self.resting = resting
        # A distance may be read off in either direction; negative indexes wrap around the list.
        self.kind = [min(gap, circle - gap) for gap in range(circle)]
        # Places opposite each other meet twice in a whole turn.
        self.weight = [1 + (2 * kind == circle) for kind in range(circle // 2 + 1)]
        self.met = [0] * len(self.weight)
        for table in tables:
            for one, other in combinations(table, 2):
                kind = self.kind[one - other]
                self.met[kind] += self.weight[kind]

    def run(self, goal: int, swap_byes: bool, rng: Rng) -> Starter:
        """Search until the frequencies differ by no more than the goal, or time is up."""
        groups = [*self.tables, self.resting] if swap_byes else self.tables
        spots = [(group, index) for group in groups for index in range(len(group))]
        best, starter = self.flaw(), self.freeze()
        for _ in range(STEPS):
            if best <= (0, goal):
                break
            change = self.swap(*spots[rng.below(len(spots))], *spots[rng.below(len(spots))], rng)
            if change and (flaw := self.flaw()) < best:
                best, starter = flaw, self.freeze()
        return starter

    def flaw(self) -> tuple[int, int]:
        """Return how bad this is: distances that never occur, then the spread of frequencies."""
        met = self.met[1:] or [1]
        return met.count(0), max(met) - min(met)

    def freeze(self) -> Starter:
        """Return the tables and byes as they are now."""
        return tuple(map(tuple, self.tables)), tuple(self.resting)

    def swap(self, one: list[int], i: int, other: list[int], j: int, rng: Rng) -> bool:
        """Swap two places unless it makes things worse; rarely accept even that, to move on."""
        if one is other:
            return False
        a, b = one[i], other[j]
        change = self.move(one, i, a, b) + self.move(other, j, b, a)
        if change <= 0 or (change == 2 and not rng.bits(4)):
            one[i], other[j] = b, a
            return change != 0
        self.move(one, i, b, a)
        self.move(other, j, a, b)
        return False

    def move(self, table: list[int], index: int, old: int, new: int) -> int:
        """Count the table as if a place were another. Return the change of the sum of squares."""
        change = 0
        for at, place in enumerate(table if table is not self.resting else ()):
            if at != index:
                change += self.add(self.kind[old - place], -1) + self.add(self.kind[new - place], 1)
        return change

    def add(self, kind: int, sign: int) -> int:
        """Count one distance more or less. Return the change of its square."""
        step, before = sign * self.weight[kind], self.met[kind]
        self.met[kind] = before + step
        return step * (2 * before + step)
