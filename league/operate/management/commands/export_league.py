"""`manage.py export_league`: the whole league as one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.operate import archive
from runners.failures import InfrastructureError


class Command(BaseCommand):
    """The export for moving to another machine or database. For backups use deploy/backup.sh."""

    help = "Write the whole league, without passwords and keys, to a file (JSON lines, gzip)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("file", type=Path, help="file to write, such as league.jsonl.gz")

    def handle(self, *_: Any, file: Path, **__: Any) -> None:
        """Write under a temporary name first, so that nobody mistakes a partial file for it."""
        partial = file.with_name(f"{file.name}.partial")
        # It contains email addresses and private code.
        partial.touch(mode=0o600)
        try:
            rows = archive.write(partial)
        except InfrastructureError as error:
            raise CommandError(
                f"{error}; `manage.py inspect_data --only blobs` says more"
            ) from None
        partial.rename(file)
        self.stdout.write(f"{rows:,} rows exported to {file}; keep it confidential")
