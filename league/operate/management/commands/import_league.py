"""`manage.py import_league`: import a league from a file written by export_league."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.operate import archive
from runners.failures import InfrastructureError


class Command(BaseCommand):
    """The import into a migrated, empty database: SQLite or PostgreSQL, all or nothing."""

    help = "Import a league into an empty database; users then set new passwords."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("file", type=Path, help="file written by export_league")

    def handle(self, *_: Any, file: Path, **__: Any) -> None:
        """Import the file and report what to do next."""
        try:
            rows = archive.read(file)
        except (archive.Damaged, InfrastructureError, OSError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"{rows:,} rows imported. No account has a password: use "
            "`manage.py changepassword NAME` or the link for forgotten passwords. "
            "Access keys must be created again. Now run `manage.py rebuild_ratings --check`."
        )
