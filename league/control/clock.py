"""The clock of the control process: what is due is done, one after the other, and again.

It asks no broker: whatever else is down, the clock goes on.
"""

import logging
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.db import InterfaceError, OperationalError, close_old_connections

log = logging.getLogger(__name__)

PAUSE_SECONDS = 0.1


@dataclass(slots=True)
class Chore:
    """Something that is to be done every so many seconds."""

    do: Callable[[], object]
    every_seconds: float
    due_at: float = 0.0


class Clock:
    """Does chores in this thread until it is told to stop."""

    def __init__(self, chores: list[Chore], on_stop: Callable[[], object] = lambda: None) -> None:
        self.chores = chores
        self._on_stop = on_stop
        self._stopping = False

    def run(self) -> None:
        """Go on until SIGINT or SIGTERM; a chore that was begun is finished."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        while not self._stopping:
            for chore in self.chores:
                self._do_if_due(chore)
            time.sleep(PAUSE_SECONDS)

    def _stop(self, *_: object) -> None:
        # A second signal may come while the first one is being dealt with.
        if not self._stopping:
            self._stopping = True
            self._on_stop()

    def _do_if_due(self, chore: Chore) -> None:
        """What fails is ours to look at, and must not stop the clock."""
        if self._stopping or time.monotonic() < chore.due_at:
            return
        chore.due_at = time.monotonic() + chore.every_seconds
        close_old_connections()
        try:
            chore.do()
        except (OperationalError, InterfaceError) as error:
            log.warning("the database could not be asked: %s", error)
        except Exception:
            log.exception("%s failed and is tried again", chore.do)
        close_old_connections()
