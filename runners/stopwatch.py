"""A limit of time that a busy host does not use up: waiting for a core is nobody's thinking."""

from pathlib import Path
from time import monotonic

_SCHEDULE = Path("/proc/thread-self/schedstat")


class TimeIsUp(Exception):
    """A limit was reached that is not of one decision or one match."""


class Stopwatch:
    """Counts from its start. Whatever happens, it is over after `max_seconds`."""

    def __init__(self, seconds: float, max_seconds: float) -> None:
        self.seconds = seconds
        self.max_seconds = max_seconds
        self._started_at = monotonic()
        self._own_delay_mark = own_delay_seconds()
        self._delay_seconds = 0.0

    def excuse(self, delay_ms: float) -> None:
        """Do not count the time in which a bot we waited for had no core."""
        self._delay_seconds += delay_ms / 1000

    def left(self) -> float:
        """Return how many seconds may still be used; 0 or less if it is over."""
        elapsed = monotonic() - self._started_at
        delay = self._delay_seconds + own_delay_seconds() - self._own_delay_mark
        return min(self.seconds - elapsed + delay, self.max_seconds - elapsed)

    def over(self) -> bool:
        """Return whether the limit was reached; cheap as long as it cannot have been."""
        return monotonic() - self._started_at >= self.seconds and self.left() <= 0

    def check(self) -> None:
        """Raise `TimeIsUp` if it is over."""
        if self.over():
            raise TimeIsUp


def own_delay_seconds() -> float:
    """Return how long this thread has been ready while no core was free, since it began."""
    try:
        return int(_SCHEDULE.read_text(encoding="ascii").split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0
