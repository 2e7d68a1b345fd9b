"""`manage.py drain`: let a worker finish its jobs and take no new ones."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.matches.models import Match
from league.workers import fleet


class Command(BaseCommand):
    """The drain command, for use before a machine is upgraded or switched off."""

    help = "Stop a worker from taking new jobs; --wait until it has finished its current ones."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("name", help="the worker's name on the status page")
        parser.add_argument(
            "--wait", action="store_true", help="wait until it has finished its matches"
        )

    def handle(self, *_: Any, name: str, wait: bool, **__: Any) -> None:
        """Drain the worker, and wait for its matches if requested."""
        if not fleet.drain(name):
            raise CommandError(f"there is no worker {name!r}; `manage.py status` lists them")
        playing = Match.objects.filter(status=Match.Status.RUNNING, worker=name)
        while wait and playing.exists():
            time.sleep(0.5)
        self.stdout.write(
            f"{name} takes no new jobs and is playing {playing.count()} matches; "
            f"undo this with `manage.py undrain {name}`"
        )
