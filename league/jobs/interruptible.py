"""A pause that a handler of signals can end at once.

A lock would not do: the handler may run while the very same thread holds it. A byte in a pipe can
be written at any moment.
"""

import os
import select
from collections.abc import Iterable
from contextlib import suppress


class Pause:
    """Waits for a time, for files to become readable, or for its end."""

    def __init__(self) -> None:
        self._readable, self._writable = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def wait(self, seconds: float, files: Iterable[int] = ()) -> None:
        """Return after so many seconds, or as soon as one of the files is readable or `end` is
        called.
        """
        poll = select.poll()
        for file in (self._readable, *files):
            poll.register(file, select.POLLIN)
        poll.poll(max(0.0, seconds) * 1000)
        with suppress(BlockingIOError):
            os.read(self._readable, 64)

    def end(self) -> None:
        """End the pause, or the next one if there is none now."""
        with suppress(BlockingIOError):
            os.write(self._writable, b".")
