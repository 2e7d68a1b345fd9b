"""Rate limits, counted in the cache that all processes of a server share.

Without Redis each process has a cache of its own, and counts for itself.
"""

from contextlib import suppress
from dataclasses import dataclass
from time import time

from django.core.cache import cache


def count(name: str, window_seconds: int, times: int = 1) -> int:
    """Count one more event of this name; return how many there were in the current window."""
    return increment(_key(name, window_seconds), 2 * window_seconds, times)


def read_count(name: str, window_seconds: int) -> int:
    """Return how many events of this name there were in the current window."""
    return int(cache.get(_key(name, window_seconds)) or 0)


def increment(key: str, seconds: int, times: int = 1) -> int:
    """Add to a count that lives for `seconds` after its first event; return it."""
    for _ in range(2):
        if cache.add(key, times, seconds):
            return times
        # If it is gone again, its time was over, or Redis has just stopped and this process
        # counts from here on.
        with suppress(ValueError):
            return int(cache.incr(key, times))
    return times


def _key(name: str, window_seconds: int) -> str:
    return f"{name}-{int(time()) // window_seconds}"


def seconds_to_next(window_seconds: int) -> int:
    """Return the whole seconds until the next window begins, at least one."""
    return window_seconds - int(time()) % window_seconds


@dataclass(frozen=True, slots=True)
class Limit:
    """A maximum of events per window and client; the rest waits for the next window."""

    name: str
    max_events: int
    window_seconds: int = 60

    def seconds_to_wait(self, client: str) -> int:
        """Count an event of this client. Return 0 if it may happen, else how long to wait."""
        if count(f"{self.name}-{client}", self.window_seconds) <= self.max_events:
            return 0
        return seconds_to_next(self.window_seconds)


@dataclass(frozen=True, slots=True)
class Budget:
    """A burst of events per client, and then one at a time: a delay, never a refusal."""

    name: str
    burst: int
    window_seconds: int

    @property
    def pace_seconds(self) -> int:
        """Return the seconds between two events beyond the burst."""
        return max(1, self.window_seconds // self.burst)

    def seconds_to_wait(self, client: str) -> int:
        """Count an event of this client. Return 0 if it may happen, else when to try again."""
        if count(f"{self.name}-{client}", self.window_seconds) <= self.burst:
            return 0
        if count(f"{self.name}-next-{client}", self.pace_seconds) <= 1:
            return 0
        return seconds_to_next(self.pace_seconds)
