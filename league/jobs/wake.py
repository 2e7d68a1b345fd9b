"""Waking workers when a job is queued, so that they look before they would anyway.

A message is handed over after commit to a thread that sends it: no request, no result and no tick
ever waits for the broker, or fails because of it. A message that does not arrive is no loss, since
workers look into the queue every few seconds by themselves.
"""

import logging
import os
import threading
from queue import Full, Queue
from typing import Any

from celery import current_app
from django.db import transaction
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

from league.web.circuit_breaker import CircuitBreaker

log = logging.getLogger(__name__)

WAKE_TASK = "league.workers.tasks.wake"
MAX_UNSENT = 64
TIMEOUT_SECONDS = 2.0
_ERRORS = (KombuError, RedisError, OSError)


def workers() -> None:
    """Wake a worker after commit: an upload or a match was queued."""
    transaction.on_commit(_sender.put)


class _Sender:
    """One thread of this process, with a connection of its own, started when it is needed."""

    def __init__(self) -> None:
        self._unsent: Queue[str] = Queue(MAX_UNSENT)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._connection: Any = None
        self._breaker = CircuitBreaker("the broker", "workers look for work by themselves")

    def put(self) -> None:
        """Send a message soon. If many are unsent already, one more would say nothing new."""
        try:
            self._unsent.put_nowait(WAKE_TASK)
        except Full:
            return
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="wake", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            task = self._unsent.get()
            if self._breaker.may_ask():
                self._send(task)

    def _send(self, task: str) -> None:
        # A connection that worked before may lead to a broker that was restarted since.
        for last in (False, True) if self._connection else (True,):
            try:
                self._publish(task)
            except _ERRORS as error:
                self._hang_up()
                if last:
                    self._breaker.fail(error)
            else:
                self._breaker.succeed()
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
            log.debug("could not close the connection to the broker: %s", error)


_sender = _Sender()


def _start_anew() -> None:
    """Start with a new sender after a fork, which has no thread and must not use the connection of
    its parent.
    """
    global _sender  # noqa: PLW0603
    _sender = _Sender()


os.register_at_fork(after_in_child=_start_anew)
