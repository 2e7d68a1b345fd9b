"""How a seat played, as numbers that add up over matches, and what they say in words."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from engine.record.types import AnyRecord
from engine.seats import Seat

Counts = dict[str, int]

TIMES_MS = tuple(round(0.1 * 1.25**step, 3) for step in range(50))
"""Thinking times are counted in classes, of which these are the upper ends."""


class Share(NamedTuple):
    """A part of a whole."""

    name: str
    share: float


class Shares(NamedTuple):
    """A whole in parts, such as the actions a bot chooses."""

    title: str
    parts: list[Share]


class Fact(NamedTuple):
    """One thing about a bot's way to play, with a name."""

    name: str
    value: str


class Statistics:
    """The default counts nothing of its own; thinking times are counted for every game."""

    def count(self, record: AnyRecord, counters: list[Counter[str]]) -> None:
        """Add to each seat's counter what it did in this match."""

    def shares(self, counts: Mapping[str, int]) -> list[Shares]:
        """Return the wholes that counts of some matches can be divided into."""
        return []

    def facts(self, matches: int, counts: Mapping[str, int]) -> list[Fact]:
        """Return what else counts of some matches say."""
        return []


def count_match(statistics: Statistics, record: AnyRecord) -> list[Counts]:
    """Return for each seat of a match what it did."""
    counters: list[Counter[str]] = [Counter() for _ in record["seats"]]
    for seat, ms in decisions(record):
        counters[seat][f"ms {min(bisect_left(TIMES_MS, ms), len(TIMES_MS) - 1)}"] += 1
    statistics.count(record, counters)
    return [dict(counter) for counter in counters]


def decisions(record: AnyRecord) -> Iterator[tuple[Seat, float]]:
    """Yield seat and thinking time of all decisions in which there was a choice."""
    for step in record["steps"]:
        if "moves" in step:
            for seat, (ms, forced) in enumerate(zip(step["ms"], step["forced"], strict=True)):
                if not forced:
                    yield seat, ms
        elif "move" in step and not step["forced"]:
            yield step["seat"], step["ms"]


def shares_of(title: str, counts: Iterable[tuple[str, int]]) -> Shares:
    """Return counts as shares of their sum, leaving out what never happened."""
    pairs = [(name, count) for name, count in counts if count]
    whole = sum(count for _, count in pairs)
    return Shares(title, [Share(name, count / whole) for name, count in pairs])


def thinking_facts(counts: Mapping[str, int]) -> list[Fact]:
    """Return the thinking time of half, and of all but one in a hundred, decisions."""
    times = [counts.get(f"ms {number}", 0) for number in range(len(TIMES_MS))]
    if not any(times):
        return []
    return [
        Fact("Median thinking time", _quantile(times, 0.5)),
        Fact("99 of 100 decisions within", _quantile(times, 0.99)),
    ]


def _quantile(times: list[int], share: float) -> str:
    """Return the upper end of the class in which this share of all decisions is reached."""
    threshold = share * sum(times)
    sums = zip(TIMES_MS, accumulate(times), strict=True)
    ms = next(ms for ms, sum_so_far in sums if sum_so_far >= threshold)
    if ms >= 1000:
        return f"{ms / 1000:.1f} s"
    return f"{ms:.0f} ms" if ms >= 10 else f"{ms:.1f} ms"
