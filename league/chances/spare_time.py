"""What a process does while there is no job: estimate the chances in matches that just finished.

A match that this process has played is noted and computed before it waits for the next job; when it
starts, it looks once for what others left. So nobody looks any more often than before.
"""

from collections import deque
from collections.abc import Callable
from time import monotonic

from django.conf import settings

from league.chances import queries, services
from league.chances.estimating import never

MAX_WAITING = 200
"""The latest matches that a process remembers; older ones are left to `rebuild_chances`."""
MINUTE = 60.0


class SpareTime:
    """The matches whose chances a process may estimate: of tournaments first, then the latest."""

    def __init__(self, is_stopping: Callable[[], bool] = never) -> None:
        self._is_stopping = is_stopping
        self._waiting: deque[int] = deque(maxlen=MAX_WAITING)
        self._has_looked = False
        self._begun_at: deque[float] = deque()
        """When the computations of the last minute began."""

    def note(self, match_id: int) -> None:
        """Remember a match that has just finished."""
        if settings.CHANCES:
            self._waiting.append(match_id)

    def use(self) -> bool:
        """Compute the chances in one match, if any waits and it may. Return whether it did."""
        if not settings.CHANCES or not self._may_compute():
            return False
        if not self._has_looked:
            self._has_looked = True
            latest = queries.without_chances(services.MAX_AGE)[:MAX_WAITING]
            # Those that were noted are among them.
            self._waiting.extend(reversed(latest.values_list("pk", flat=True)))
        while self._waiting and not self._is_stopping():
            if services.compute(self._next(), is_stopping=self._is_stopping):
                self._begun_at.append(monotonic())
                return True
        return False

    def _next(self) -> int:
        """Take the match that comes next from those that wait."""
        tournament = queries.of_tournaments(self._waiting)
        pk = next((pk for pk in reversed(self._waiting) if pk in tournament), self._waiting[-1])
        self._waiting.remove(pk)
        return pk

    def _may_compute(self) -> bool:
        """Return whether the bound of a minute allows another match."""
        while self._begun_at and monotonic() - self._begun_at[0] >= MINUTE:
            self._begun_at.popleft()
        return len(self._begun_at) < settings.CHANCES_PER_MINUTE
