"""The processes of a worker: those that play, and one that listens to the broker.

Each process that plays looks for work by itself, every few seconds, whatever the broker says; a
message only lets one of them look earlier. The parent replaces processes that died and ends those
that hang. It has no thread and no connection, so that it can fork at any moment.
"""

import logging
import multiprocessing
import os
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from typing import Any

from django.db import InterfaceError, OperationalError

from league.celery import app
from league.database.upkeep import Upkeep
from league.jobs.broker_listener import BrokerListener
from league.jobs.interruptible import Pause
from league.jobs.parent_process import end_with_parent
from league.workers import registration, wake_pipe, worker

log = logging.getLogger(__name__)

LOOK_SECONDS = 2.0
"""How often an idle process looks into the queue."""
WATCH_SECONDS = 1.0
"""How often the parent looks for processes that hang; one that ends is noticed at once."""
RESTART_SECONDS = 2.0
"""A process that died is replaced no sooner: it may die again."""

_fork = multiprocessing.get_context("fork")


def play(report: Callable[[float], None]) -> None:
    """Look for jobs, do them and wait a little, until this worker has to stop.

    Before it waits, what can be done in spare time is done: a piece at a time between two looks.
    """
    upkeep = Upkeep()
    while not worker.stopping.value:
        failed, was_busy = True, False
        try:
            worker.work(report)
            was_busy = worker.use_spare_time(report)
            failed = False
        except (OperationalError, InterfaceError) as error:
            log.warning("the database does not answer: %s", error)
        except Exception:
            log.exception("unexpected error; the job is given back when its lease lapses")
        upkeep.after_work(failed=failed)
        if not worker.stopping.value and not was_busy:
            wake_pipe.wait(LOOK_SECONDS)
    worker.close_pool()


def listen() -> None:
    """Let Celery wake a process for every message. Without a broker, none is woken."""
    BrokerListener(
        app=app,
        hostname=f"{worker.name()}@{socket.gethostname()}",
        queues="matches",
        pool_cls="solo",
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    ).start()


@dataclass(slots=True)
class Process:
    """A process of the worker, and its replacement when it ends."""

    do: Callable[[], None]
    running: BaseProcess | None = None
    started_at: float = 0.0

    def start(self) -> None:
        """Fork it, unless it runs or was started just now."""
        if self.running is not None and self.running.is_alive():
            return
        if self.running is not None:
            if time.monotonic() - self.started_at < RESTART_SECONDS:
                return
            log.warning("a process ended with exit code %s and is replaced", self.running.exitcode)
        self.started_at = time.monotonic()
        self.running = _fork.Process(target=_begin, args=(self.do, os.getpid()))
        self.running.start()

    @property
    def alive(self) -> bool:
        """Return whether it runs."""
        return self.running is not None and self.running.is_alive()

    def send_kill(self) -> None:
        """Kill it without waiting for its end."""
        if self.running is not None:
            self.running.kill()

    def kill(self) -> None:
        """Kill it and wait for its end."""
        if self.running is not None:
            self.running.kill()
            self.running.join()


def _begin(do: Callable[[], None], parent_pid: int) -> None:
    """Start in a child: a parent that is killed takes its children along, and they their boxes.

    Signals that are sent to all of them are for the parent, which tells the others when to stop.
    """
    end_with_parent(signal.SIGKILL, parent_pid)
    for number in (signal.SIGINT, signal.SIGTERM):
        # Not ignored: that would be handed down to the boxes.
        signal.signal(number, lambda *_: None)
    do()


class Processes:
    """All processes of this worker."""

    def __init__(self, count: int) -> None:
        self._deadlines = multiprocessing.RawArray("d", count)
        self._players = [Process(self._player(number)) for number in range(count)]
        self._listener = Process(listen)
        self._pause = Pause()

    def _player(self, number: int) -> Callable[[], None]:
        def report(deadline: float) -> None:
            self._deadlines[number] = deadline

        return lambda: play(report)

    def run(self, code: str) -> int:
        """Run until SIGINT or SIGTERM, then let all jobs finish; a second signal ends them."""
        worker.stopping.value = 0
        wake_pipe.prepare()
        # In a process of its own: what it connects to and starts is gone before others are forked.
        count = len(self._players)
        first = _fork.Process(target=registration.announce, args=(count, code))
        first.start()
        first.join()
        if first.exitcode:
            return 1
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        while not worker.stopping.value:
            for process in (*self._players, self._listener):
                process.start()
            self._end_overdue()
            self._wait([*self._players, self._listener])
        self._listener.kill()
        while any(process.alive for process in self._players):
            self._end_overdue()
            self._wait(self._players)
        return 0

    def _wait(self, processes: list[Process]) -> None:
        """Wait for the end of a process or a signal, but not long: one may hang."""
        running = [one.running.sentinel for one in processes if one.running and one.alive]
        self._pause.wait(WATCH_SECONDS, running)

    def _stop(self, *_signal: Any) -> None:
        if worker.stopping.value:
            for player in self._players:
                player.send_kill()
        worker.stopping.value = 1
        for _ in range(len(self._players)):
            wake_pipe.one()
        self._pause.end()

    def _end_overdue(self) -> None:
        """Kill what exceeds every limit, with its boxes; its lease has lapsed already."""
        for number, player in enumerate(self._players):
            deadline = self._deadlines[number]
            if deadline and time.monotonic() > deadline:
                log.error("a process hangs and is killed")
                player.kill()
                self._deadlines[number] = 0.0
