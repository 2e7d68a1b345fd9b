"""`manage.py worker`: plays matches and checks uploads."""

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.celery import app
from league.matches import presence, worker
from league.version import rules_code


class Command(BaseCommand):
    """Starts Celery for the queue of matches, one process a core."""

    help = "Play matches and check uploads until told to stop (Ctrl-C or SIGTERM)."

    def add_arguments(self, parser: CommandParser) -> None:
        """The options."""
        cores = len(os.sched_getaffinity(0))
        parser.add_argument(
            "--processes", type=int, default=cores, help="matches at the same time (one a core)"
        )
        parser.add_argument("--name", help="the worker's name on the status page")

    def handle(self, *_: Any, processes: int, name: str | None, **__: Any) -> None:
        """Run until stopped."""
        # The processes that play are forked from this one and report under its name.
        name = os.environ["KARAT_WORKER"] = name or worker.name()
        presence.announce(processes, rules_code())
        app.worker_main(
            [
                *("--quiet", "worker", "--queues", "matches", "--concurrency", str(processes)),
                *("--loglevel", "WARNING", "--without-gossip", "--without-mingle"),
                *("--without-heartbeat", "--hostname", f"{name}@%h"),
            ]
        )
