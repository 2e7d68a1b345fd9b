"""`manage.py note_backup`: record that a backup was made, for the status and the alerts."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.operate import maintenance


class Command(BaseCommand):
    """The command that deploy/backup.sh, or your own script, calls after every backup."""

    help = "Record that a backup was just made."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("name", help="file name of the backup")
        parser.add_argument("--bytes", type=int, default=0, dest="size_bytes")

    def handle(self, *_: Any, name: str, size_bytes: int, **__: Any) -> None:
        """Record the backup."""
        maintenance.note(maintenance.Kind.BACKUP, size_bytes, name)
