"""`manage.py note_backup`: store that a backup was made, for the status and the alerts."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.operate import maintenance


class Command(BaseCommand):
    """deploy/backup.sh calls it after every backup; your own backup script can, too."""

    help = "Store that a backup was made just now."

    def add_arguments(self, parser: CommandParser) -> None:
        """The options."""
        parser.add_argument("name", help="name of the file")
        parser.add_argument("--bytes", type=int, default=0, dest="size_bytes")

    def handle(self, *_: Any, name: str, size_bytes: int, **__: Any) -> None:
        """Store it."""
        maintenance.note(maintenance.Kind.BACKUP, size_bytes, name)
