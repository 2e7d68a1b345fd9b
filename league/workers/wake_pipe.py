"""Waking an idle process: one byte in a pipe that all processes of a worker share.

The process that reads the byte looks into the queue. A byte too many costs a look, one too few some
seconds.
"""

import os
import select
from contextlib import suppress

_ends: list[int] = []


def prepare() -> None:
    """Make the pipe. To be called before the processes are forked."""
    _ends[:] = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)


def one() -> None:
    """Wake an idle process, or the next that is. Outside of a worker nothing happens."""
    if _ends:
        with suppress(BlockingIOError):
            os.write(_ends[1], b".")


def wait(seconds: float) -> None:
    """Return when this process is woken, and after so many seconds at the latest."""
    select.select([_ends[0]], [], [], seconds)
    with suppress(BlockingIOError):
        os.read(_ends[0], 1)
