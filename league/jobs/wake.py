"""Telling workers that something waits, so that they look before they would anyway.

A hint is handed over after commit to a thread that sends it: no request, no result and no tick ever
waits for the broker, or fails because of it. A hint that does not arrive is no loss, since workers
look into the queue every few seconds by themselves.
"""

import logging
import os
import threading
from queue import Full, Queue
from time import monotonic
from typing import Any

from celery import current_app
from django.db import transaction
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

WAKE_TASK = "league.workers.tasks.wake"
MAX_UNSENT = 64
PAUSE_SECONDS = 5.0
"""So long nothing is sent to a broker that does not answer."""
TIMEOUT_SECONDS = 2.0
_ERRORS = (KombuError, RedisError, OSError)


def workers() -> None:
    """Tell a worker, after commit, that an upload or a match waits."""
    transaction.on_commit(_sender.put)


class _Sender:
    """One thread of this process, with a connection of its own, started when it is needed."""

    def __init__(self) -> None:
        self._unsent: Queue[str] = Queue(MAX_UNSENT)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._connection: Any = None
        self._quiet_until = 0.0
        self._reachable = True

    def put(self) -> None:
        """Send a hint soon; more than a few that wait would all say the same."""
        try:
            self._unsent.put_nowait(WAKE_TASK)
        except Full:
            return
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="hints", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            task = self._unsent.get()
            if monotonic() >= self._quiet_until:
                self._send(task)

    def _send(self, task: str) -> None:
        # A connection that was good before may be that of a broker which started again since.
        for last in (False, True) if self._connection else (True,):
            try:
                self._publish(task)
            except _ERRORS as error:
                self._hang_up()
                if last:
                    self._rest(error)
            else:
                self._reachable = True
                return

    def _publish(self, task: str) -> None:
        if self._connection is None:
            timeouts = dict.fromkeys(("socket_timeout", "socket_connect_timeout"), TIMEOUT_SECONDS)
            self._connection = current_app.connection_for_write(transport_options=timeouts)
            self._connection.ensure_connection(max_retries=1, timeout=TIMEOUT_SECONDS)
        producer = current_app.amqp.Producer(self._connection, auto_declare=False)
        current_app.send_task(task, producer=producer, retry=False)

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        try:
            if connection is not None:
                connection.release()
        except _ERRORS as error:
            log.debug("the broker was not there to say goodbye: %s", error)

    def _rest(self, error: Exception) -> None:
        self._quiet_until = monotonic() + PAUSE_SECONDS
        if self._reachable:
            log.warning("the broker cannot be reached; workers look by themselves: %s", error)
        self._reachable = False


_sender = _Sender()


def _start_anew() -> None:
    """A fork has no thread, and must not write into its parent's connection."""
    global _sender  # noqa: PLW0603
    _sender = _Sender()


os.register_at_fork(after_in_child=_start_anew)
