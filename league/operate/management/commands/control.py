"""`manage.py control`: ticks, ratings and schedules. One is enough; two do no harm."""

import socket
from typing import Any

from celery import signals
from django.core.management.base import BaseCommand

from league.celery import app
from league.control import heartbeat, work
from league.matches import fleet
from league.version import rules_code


class Command(BaseCommand):
    """Starts Celery for the control queue, with the clock that makes it tick."""

    help = "Make ladder matches, write ratings, run schedules, until told to stop."

    def handle(self, *_: Any, **__: Any) -> None:
        """Run until stopped."""
        if fleet.lead(rules_code()):
            self.stdout.write(f"matches are played by the code {rules_code()} from now on")
        heartbeat.announce(rules_code())
        # A tick looks between two units of work whether it should end.
        signals.worker_shutting_down.connect(work.stop, weak=False)
        app.worker_main(
            [
                *("--quiet", "worker", "--queues", "control", "--pool", "solo", "--beat"),
                *("--loglevel", "WARNING", "--without-gossip", "--without-mingle"),
                *("--without-heartbeat", "--hostname", f"control@{socket.gethostname()}"),
            ]
        )
