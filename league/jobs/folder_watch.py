"""Waiting for a new file in a folder, by the kernel's inotify."""

import ctypes
import os
import select
from contextlib import suppress
from pathlib import Path

_IN_MOVED_TO = 0x80
"""A file got its name in the folder: it is complete."""
_BUFFER_SIZE = 1 << 16


class FolderWatch:
    """Tells when a file was moved into a folder."""

    def __init__(self, folder: Path) -> None:
        """Raise `OSError` if the machine allows no more watches."""
        libc = ctypes.CDLL(None, use_errno=True)
        self._file = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        watched = self._file >= 0 and libc.inotify_add_watch(
            self._file, os.fsencode(folder), _IN_MOVED_TO
        )
        if self._file < 0 or watched < 0:
            error = ctypes.get_errno()
            self.close()
            raise OSError(error, os.strerror(error))

    def wait(self, seconds: float) -> None:
        """Return when files came since the last call, or after so many seconds."""
        poll = select.poll()
        poll.register(self._file, select.POLLIN)
        poll.poll(seconds * 1000)
        with suppress(BlockingIOError):
            os.read(self._file, _BUFFER_SIZE)

    def close(self) -> None:
        """End the watch."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
