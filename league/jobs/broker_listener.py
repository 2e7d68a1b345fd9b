"""Celery's worker as a child process that leaves signals to its parent."""

from typing import Any

from celery.apps.worker import Worker


class BrokerListener(Worker):
    """Receives messages in its own process, without handlers of signals.

    Celery's own would announce a shutdown on the console, and restart the program when a terminal
    is closed. Our parent process decides when to stop, and ends this one.
    """

    def install_platform_tweaks(self, worker: Any) -> None:
        """Install no handlers."""
