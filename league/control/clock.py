"""The clock of the control process: it runs one chore after the other whenever they are due.

It needs no broker: whatever else is down, the clock goes on.
"""

import logging
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.db import InterfaceError, OperationalError

from league.database.upkeep import Upkeep
from league.jobs.interruptible import Pause

log = logging.getLogger(__name__)

TOGETHER_SECONDS = 0.1
"""Chores that are due within this time run now: waking up costs more than most of them."""


@dataclass(slots=True)
class Chore:
    """A function that has to run every so many seconds."""

    do: Callable[[], object]
    every_seconds: float
    due_at: float = 0.0


class Clock:
    """Runs chores in this thread until it has to stop."""

    def __init__(self, chores: list[Chore], on_stop: Callable[[], object] = lambda: None) -> None:
        self.chores = chores
        self._on_stop = on_stop
        self._stopping = False
        self._pause = Pause()
        self._upkeep = Upkeep()

    def run(self) -> None:
        """Run until SIGINT or SIGTERM; a chore that has begun is finished."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        while not self._stopping:
            for chore in self.chores:
                self._do_if_due(chore)
            next_due_at = min(chore.due_at for chore in self.chores)
            self._pause.wait(next_due_at - time.monotonic())

    def _stop(self, *_: object) -> None:
        # A second signal may come while the first one is being handled.
        if not self._stopping:
            self._stopping = True
            self._on_stop()
            self._pause.end()

    def _do_if_due(self, chore: Chore) -> None:
        """Run a chore if it is due now or in a moment.

        A failure is logged and must not stop the clock.
        """
        if self._stopping or time.monotonic() < chore.due_at - TOGETHER_SECONDS:
            return
        chore.due_at = time.monotonic() + chore.every_seconds
        failed = True
        try:
            chore.do()
            failed = False
        except (OperationalError, InterfaceError) as error:
            log.warning("the database does not answer: %s", error)
        except Exception:
            log.exception("%s failed and will be tried again", chore.do)
        self._upkeep.after_work(failed=failed)
