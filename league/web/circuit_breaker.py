"""A circuit breaker: a service that fails is left alone for a while, and that is logged once."""

import logging
import threading
from time import monotonic

log = logging.getLogger(__name__)

PAUSE_SECONDS = 5.0
"""How long nobody asks a service that did not answer."""


class CircuitBreaker:
    """Whether a service answers, for all threads of this process."""

    def __init__(self, service: str, fallback: str) -> None:
        """`service` and `fallback` are for the log: what is down, and what happens meanwhile."""
        self._service = service
        self._fallback = fallback
        self._lock = threading.Lock()
        self._retry_at = 0.0
        self._answers = True

    def may_ask(self) -> bool:
        """Return whether to ask now. While the service is down, one caller tries now and then."""
        if self._answers:
            return True
        with self._lock:
            if monotonic() < self._retry_at:
                return False
            self._retry_at = monotonic() + PAUSE_SECONDS
            return True

    def succeed(self) -> None:
        """Note that the service answered."""
        if not self._answers:
            self._answers = True
            log.warning("%s answers again", self._service)

    def fail(self, error: Exception) -> None:
        """Note that the service did not answer."""
        self._retry_at = monotonic() + PAUSE_SECONDS
        if self._answers:
            self._answers = False
            log.warning("%s does not answer; %s: %s", self._service, self._fallback, error)
