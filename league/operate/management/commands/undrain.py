"""`manage.py undrain`: let a drained or quarantined worker take jobs again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.workers import fleet


class Command(BaseCommand):
    """The counterpart of drain; it also ends a quarantine once the cause is fixed."""

    help = "Let a drained or quarantined worker take matches and uploads again."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("name", help="the worker's name on the status page")

    def handle(self, *_: Any, name: str, **__: Any) -> None:
        """Let the worker take jobs again."""
        if not fleet.undrain(name):
            raise CommandError(f"there is no worker {name!r}; `manage.py status` lists them")
        self.stdout.write(f"{name} takes jobs again")
