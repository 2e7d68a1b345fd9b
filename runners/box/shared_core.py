"""Keep a match on one core while its bots answer at once.

Referee and bots take turns, so a second core has nothing to do for them: waking it, and moving what
they talk about into its caches, costs more than most decisions. Bots that think are different. The
first answer that takes a while gives all cores back, and the scheduler decides from then on.
"""

import ctypes
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from time import monotonic

from runners.box.kernel import unix

QUICK_MS = 5.0
"""Answers that take no longer leave a match where it is."""
MAX_DELAY_SHARE = 0.1
"""Whoever waited for longer than this share of a match shares its core with too many others."""
_SCHEDULE = Path("/proc/thread-self/schedstat")

_quiet_core: int | None = None
"""Where the last match of this process had a core for itself: a good place for the next one."""


class SharedCore:
    """One core for the calling thread and some processes, until it is released."""

    def __init__(self, pids: Sequence[int]) -> None:
        self._pids = pids
        self._allowed = os.sched_getaffinity(0)
        self.held = False
        """Whether all of them are kept on it."""

    def hold(self, core: int) -> None:
        """Keep everybody on a core, unless there is only one anyway."""
        if {core} < self._allowed:
            self.held = True
            self._move({core})

    def release(self) -> None:
        """Let everybody run wherever this thread could before; safe to repeat."""
        if self.held:
            self.held = False
            self._move(self._allowed)

    def _move(self, cores: set[int]) -> None:
        for pid in (0, *self._pids):
            # A box may be gone, and some hosts let nobody choose. Either way it only runs slower.
            with suppress(OSError):
                os.sched_setaffinity(pid, cores)


@contextmanager
def shared_core(pids: Sequence[int]) -> Iterator[SharedCore | None]:
    """Keep this thread and these processes on one core, at most until the end of the block."""
    global _quiet_core  # noqa: PLW0603
    if not pids or not unix.HAS_BOXES:
        yield None
        return
    # Two processes on one core would stay there while another is free. So each goes back to where
    # it was alone, and who was not alone starts from where the scheduler has put it.
    core = _current_core() if _quiet_core is None else _quiet_core
    shared = SharedCore(pids)
    shared.hold(core)
    started_at, delay = monotonic(), _delay_seconds()
    try:
        yield shared
    finally:
        elapsed = monotonic() - started_at
        quiet = shared.held and _delay_seconds() - delay < elapsed * MAX_DELAY_SHARE
        _quiet_core = core if quiet else None
        shared.release()


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def _current_core() -> int:
    return int(_libc().sched_getcpu())


def _delay_seconds() -> float:
    """Return how long this thread has been ready while its core was not free."""
    try:
        return int(_SCHEDULE.read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0
