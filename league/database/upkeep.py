"""Keeping the connection of a process that runs for long.

Django closes connections between requests. A process that does a little every second would spend
most of its time on opening a SQLite file again and again.
"""

from time import monotonic

from django.db import close_old_connections

RENEW_SECONDS = 60.0


class Upkeep:
    """Closes the connections of this thread when they are old, or after an error."""

    def __init__(self) -> None:
        self._closed_at = 0.0

    def after_work(self, *, failed: bool = False) -> None:
        """Close connections that are no longer of use; the next statement opens a new one."""
        if failed or monotonic() - self._closed_at >= RENEW_SECONDS:
            self._closed_at = monotonic()
            close_old_connections()
