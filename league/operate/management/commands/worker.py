"""`manage.py worker`: play matches and check uploads."""

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.version import rules_code
from league.workers import worker
from league.workers.processes import Processes


class Command(BaseCommand):
    """The worker, which starts processes that play, by default one per core."""

    help = "Play matches and check uploads until stopped (Ctrl-C or SIGTERM)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        cores = len(os.sched_getaffinity(0))
        parser.add_argument(
            "--processes",
            type=int,
            default=cores,
            help="matches at the same time (default: one per core)",
        )
        parser.add_argument("--name", help="the worker's name on the status page")

    def handle(self, *_: Any, processes: int, name: str | None, **__: Any) -> None:
        """Run the worker until stopped."""
        # The processes that play are forked from this one and report under its name.
        os.environ["KARAT_WORKER"] = name or worker.name()
        if Processes(processes).run(rules_code()):
            raise CommandError("the worker could not register; the reason is above")
