"""Readiness checks that answer in time, even if something hangs.

A database that does not answer can block a caller for minutes. Therefore each check runs in its own
thread, callers wait only briefly, and a running check is not started a second time.
"""

import os
import threading
from collections.abc import Callable
from time import monotonic

from celery import current_app
from django.conf import settings
from django.db import connection
from django.db.utils import DatabaseError
from kombu.exceptions import OperationalError

import league.jobs.celery_config  # noqa: F401  creates the folders of the broker
from league.control import models as control

MAX_SECONDS = 2.0
"""The time for all checks together."""
OK = "ok"
UNREACHABLE = "not reachable"


class Probe:
    """A check that may hang."""

    def __init__(self, ask: Callable[[], str]) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._answered: threading.Event | None = None
        self._answer = UNREACHABLE

    def begin(self) -> None:
        """Start the check, unless it is still running."""
        with self._lock:
            if self._answered is not None and not self._answered.is_set():
                return
            self._answered = threading.Event()
            threading.Thread(target=self._run, args=[self._answered], daemon=True).start()

    def answer(self, until: float) -> str:
        """Return the result, waiting no longer than `until`."""
        answered = self._answered
        if answered is None or not answered.wait(max(0.0, until - monotonic())):
            return UNREACHABLE
        return self._answer

    def _run(self, answered: threading.Event) -> None:
        try:
            self._answer = self._ask()
        finally:
            connection.close()
            answered.set()


def answers() -> dict[str, str]:
    """Return the state of each part of the league."""
    until = monotonic() + MAX_SECONDS
    for probe in _PROBES.values():
        probe.begin()
    return {name: probe.answer(until) for name, probe in _PROBES.items()}


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return UNREACHABLE
    return OK


def _broker() -> str:
    if not settings.REDIS_URL:
        writable = os.access(settings.VAR / "broker" / "messages", os.W_OK)
        return OK if writable else UNREACHABLE
    try:
        with current_app.connection_for_write(connect_timeout=1) as broker:
            broker.ensure_connection(max_retries=1, timeout=1)
    except (OperationalError, OSError):
        return UNREACHABLE
    return OK


def _control() -> str:
    """Return the state of the control process by its last heartbeat."""
    try:
        process = control.latest()
    except DatabaseError:
        return "not known"
    if process is None:
        return "not seen yet"
    return OK if process.alive else f"silent for {process.silent_seconds:.0f} s"


_PROBES = {"database": Probe(_database), "broker": Probe(_broker), "control": Probe(_control)}
