"""`manage.py drain`: lets a worker finish what it plays and take nothing new."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.matches.models import Match
from league.workers import fleet


class Command(BaseCommand):
    """Before a machine is upgraded or switched off."""

    help = "Let a worker take nothing new; --wait until it has finished what it plays."

    def add_arguments(self, parser: CommandParser) -> None:
        """The options."""
        parser.add_argument("name", help="as the status page shows it")
        parser.add_argument("--wait", action="store_true", help="until it plays nothing any more")

    def handle(self, *_: Any, name: str, wait: bool, **__: Any) -> None:
        """Drain, and wait if asked to."""
        if not fleet.drain(name):
            raise CommandError(f"there is no worker {name!r}; `manage.py status` lists them")
        playing = Match.objects.filter(status=Match.Status.RUNNING, worker=name)
        while wait and playing.exists():
            time.sleep(0.5)
        self.stdout.write(
            f"{name} takes nothing new and plays {playing.count()} matches; "
            f"`manage.py undrain {name}` takes it back"
        )
