"""How long games take, computed from what the latest ones cost a process. Pure."""

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from statistics import fmean

DEFAULT_SECONDS = 1.0
"""What a game costs, until one has been played here."""
MIN_BUSY_SAMPLE = 10
MAX_GAP_SECONDS = 2.0
"""A longer one is no overhead: the process checked an upload, or the league stood still."""


@dataclass(frozen=True, slots=True)
class Play:
    """When a game was made, taken by a worker, and stored."""

    worker: str
    created_at: datetime
    started_at: datetime
    finished_at: datetime

    @property
    def seconds(self) -> float:
        """Return how long it held a process."""
        return (self.finished_at - self.started_at).total_seconds()

    @property
    def waited(self) -> bool:
        """Return whether it waited for longer than it took: all processes were busy then."""
        return (self.started_at - self.created_at).total_seconds() > self.seconds


@dataclass(frozen=True, slots=True)
class Pace:
    """How quickly games are played here now."""

    costs: Sequence[float] = (DEFAULT_SECONDS,)
    """The seconds each of some games cost a process, from taking it to taking the next one."""
    workers: int = 1
    """Processes that play."""
    share: float = 1.0
    """Of their turns; the others are for the ladders and other owners."""
    tick_seconds: float = 0.0
    """How often the league looks whether a round is over."""

    def seconds(self, rounds: Iterable[int]) -> float | None:
        """Return how long rounds with these numbers of games take; None without workers.

        A round waits for its slowest game, so the last game of each process is not a usual one, and
        no more processes help than the round has games.
        """
        if not self.workers:
            return None
        return sum(self._round(games) for games in rounds if games)

    def _round(self, games: int) -> float:
        turns = ceil(games / self.workers) / self.share
        last = slowest(self.costs, min(games, self.workers))
        playing = (turns - 1) * fmean(self.costs) + last
        # A round begins with a tick, and ends with one: on average half a tick after its last game.
        return max(self.tick_seconds, playing + self.tick_seconds / 2)


def slowest(costs: Sequence[float], count: int) -> float:
    """Return what the slowest of `count` games costs on average, if each is like one of these."""
    total = len(costs)
    return sum(
        cost * ((rank / total) ** count - ((rank - 1) / total) ** count)
        for rank, cost in enumerate(sorted(costs), 1)
    )


def costs(plays: Sequence[Play], gap_seconds: float) -> tuple[float, ...]:
    """Return what each game cost a process. Those played while all processes were busy say best
    what games cost in a tournament, because processes share the cores.
    """
    busy = [play for play in plays if play.waited]
    sample = busy if len(busy) >= MIN_BUSY_SAMPLE else plays
    return tuple(play.seconds + gap_seconds for play in sample) or (DEFAULT_SECONDS,)


def mean_gap(plays: Iterable[Play]) -> float:
    """Return the mean time from the end of a game to the start of the next one that waited.

    It is the time a process needs to store the rest of a result and to find out whose turn it is.
    """
    ends: dict[str, list[datetime]] = {}
    gaps = []
    events = sorted(plays, key=lambda play: play.started_at)
    for play in events:
        insort(ends.setdefault(play.worker, []), play.finished_at)
    for play in events:
        free = ends[play.worker]
        latest = bisect_right(free, play.started_at) - 1
        if latest < 0 or free[latest] < play.created_at:
            continue
        # Each end frees one process, for one game.
        gap = (play.started_at - free.pop(latest)).total_seconds()
        if gap <= MAX_GAP_SECONDS:
            gaps.append(gap)
    return fmean(gaps) if gaps else 0.0
