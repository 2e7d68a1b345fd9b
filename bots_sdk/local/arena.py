"""All bots against all: who meets whom in which seat, and what the results say. Prints nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt
from statistics import fmean, median, stdev

from bots_sdk.local.matches import FinishedMatch, Seating
from bots_sdk.rating.skill import Rating, rate
from engine.rng import Rng

Z95 = 1.96
"""Standard errors either side of a mean between which the truth lies with 95 %."""


def schedule(
    bots: int, sizes: Sequence[int], seed: str, *, games: int = 0, deals: int = 0
) -> list[Seating]:
    """Plan so many matches, or so many deals, each of them in every rotation of the seats.

    Table sizes take turns; so do the line-ups of a size and, in single matches, the rotations.
    """
    line_ups = {size: _shuffle(list(combinations(range(bots), size)), seed) for size in sizes}
    plan = []
    for number in range(deals or games):
        size = sizes[number % len(sizes)]
        round_number, which = divmod(number // len(sizes), len(line_ups[size]))
        bots_there = line_ups[size][which]
        turns = range(size) if deals else [round_number % size]
        plan += [Seating(_rotate(bots_there, turn), f"{seed}-{number + 1}") for turn in turns]
    return plan


def _rotate(line_up: tuple[int, ...], turn: int) -> tuple[int, ...]:
    return line_up[turn:] + line_up[:turn]


def _shuffle(line_ups: list[tuple[int, ...]], seed: str) -> list[tuple[int, ...]]:
    """Return the line-ups in random order, so that a few matches already mix everybody."""
    rng = Rng(f"{seed} line-ups")
    left = [tuple(line_up) for line_up in line_ups]
    return [left.pop(rng.below(len(left))) for _ in line_ups]


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """How often one bot finished before another at the same table, ties as halves."""

    deals: int
    share: float
    low: float
    high: float
    """Between what the share really is, with 95 % certainty."""

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 50 %."""
        return not self.low <= 0.5 <= self.high


@dataclass(slots=True)
class Row:
    """What is known of one bot."""

    bot: int
    rating: Rating = field(default_factory=Rating)
    matches: int = 0
    wins: float = 0.0
    """First places; those who share one get their part of it."""
    behind: float = 0.0
    """Opponents left behind, ties as halves."""
    met: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    thought_ms: list[float] = field(default_factory=list)

    @property
    def ahead(self) -> float:
        """The share of opponents that it left behind."""
        return self.behind / self.met if self.met else 0.5

    @property
    def median_ms(self) -> float | None:
        """How long it usually thinks; None for built-in players, whose time nobody measures."""
        return median(self.thought_ms) if self.thought_ms else None

    @property
    def slowest_ms(self) -> float | None:
        """Its longest thinking time."""
        return max(self.thought_ms, default=None)


class Standings:
    """The results so far."""

    def __init__(self, bots: int) -> None:
        self.matches = 0
        self._rows = [Row(bot) for bot in range(bots)]
        self._met: dict[tuple[int, int], dict[str, list[float]]] = {}
        """For each two, for each deal: who was before whom in its matches."""

    def add(self, finished: FinishedMatch) -> None:
        """Count a match. Ratings depend on the order, so it must be the planned one."""
        self.matches += 1
        bots, places = finished.seating.bots, finished.result.outcome.placements
        rows = [self._rows[bot] for bot in bots]
        rated = rate([row.rating for row in rows], places)
        for seat, (row, rating) in enumerate(zip(rows, rated, strict=True)):
            row.rating = rating
            row.matches += 1
            row.wins += (places[seat] == 1) / places.count(1)
            row.met += len(bots) - 1
            row.thought_ms += finished.result.thought_ms[seat]
        for fault in finished.result.faults:
            faults = rows[fault.seat].faults
            faults[fault.code] = faults.get(fault.code, 0) + 1
        for one, other in combinations(range(len(bots)), 2):
            self._meet(finished.seating, one, other, places[one], places[other])

    def _meet(self, seating: Seating, one: int, other: int, place: int, others: int) -> None:
        before = (place < others) + (place == others) / 2
        first, second = seating.bots[one], seating.bots[other]
        self._rows[first].behind += before
        self._rows[second].behind += 1 - before
        if first > second:
            first, second, before = second, first, 1 - before
        self._met.setdefault((first, second), {}).setdefault(seating.seed, []).append(before)

    def ranking(self) -> list[Row]:
        """Return the bots from the strongest to the weakest."""
        return sorted(self._rows, key=lambda row: (-row.rating.mu, row.bot))

    def head_to_head(self, one: int, other: int) -> HeadToHead | None:
        """Return how one did against another; None if they never met.

        Deals are what is independent: the matches of one deal share their luck and count as one.
        """
        deals = self._met.get((min(one, other), max(one, other)))
        if not deals:
            return None
        shares = [fmean(before) if one < other else 1 - fmean(before) for before in deals.values()]
        # Two deals more for each of them: a few deals that agree must not pass for certainty.
        padded = [*shares, 0.0, 0.0, 1.0, 1.0]
        margin = Z95 * stdev(padded) / sqrt(len(padded))
        centre = fmean(padded)
        low, high = max(0.0, centre - margin), min(1.0, centre + margin)
        return HeadToHead(len(shares), fmean(shares), low, high)
