"""The clock of a premiere: which step is shown when. Pure.

Positions are milliseconds of the match at speed 1. A clock that runs has a moment at which it was
set, so the position at any other moment is arithmetic and needs no writing.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

MIN_SPEED = 0.5
MAX_SPEED = 8.0
SPEEDS = (MIN_SPEED, 1.0, 2.0, 4.0, MAX_SPEED)


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock as it was last set."""

    position_ms: float
    since_ms: float | None
    """When it was set, in milliseconds of the server's time; None while it is paused."""
    speed: float

    def position(self, now_ms: float) -> float:
        """Return the position at a moment."""
        if self.since_ms is None:
            return self.position_ms
        return self.position_ms + max(0.0, now_ms - self.since_ms) * self.speed


def starts(durations_ms: Sequence[int]) -> list[int]:
    """Return where each step begins."""
    return [0, *accumulate(durations_ms[:-1])]


def step_count(starts_ms: Sequence[int], position_ms: float) -> int:
    """Return how many steps have begun; the first one always has."""
    return max(1, bisect_right(starts_ms, position_ms))
