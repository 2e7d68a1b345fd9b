"""`manage.py import_league`: a league from a file of export_league."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.operate import archive


class Command(BaseCommand):
    """All of it or nothing, into a migrated, empty database of either kind."""

    help = "Fill an empty database with a league; people then set new passwords."

    def add_arguments(self, parser: CommandParser) -> None:
        """The options."""
        parser.add_argument("file", type=Path, help="written by export_league")

    def handle(self, *_: Any, file: Path, **__: Any) -> None:
        """Read it."""
        try:
            rows = archive.read(file)
        except (archive.Damaged, OSError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"{rows:,} rows were read. Nobody has a password: `manage.py changepassword NAME`, or "
            "the link for a forgotten one. Keys must be made anew. Now run "
            "`manage.py rebuild_ratings --check`."
        )
