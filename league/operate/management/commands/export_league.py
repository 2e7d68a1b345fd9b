"""`manage.py export_league`: the whole league as one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.operate import archive


class Command(BaseCommand):
    """To move a league to another machine or database. A backup is deploy/backup.sh."""

    help = "Write the whole league, without passwords and keys, to a file (JSON lines, gzip)."

    def add_arguments(self, parser: CommandParser) -> None:
        """The options."""
        parser.add_argument("file", type=Path, help="such as league.jsonl.gz")

    def handle(self, *_: Any, file: Path, **__: Any) -> None:
        """Write under another name first, so that half a file is never taken for a whole one."""
        partial = file.with_name(f"{file.name}.partial")
        # It holds e-mail addresses and private code.
        partial.touch(mode=0o600)
        rows = archive.write(partial)
        partial.rename(file)
        self.stdout.write(f"{rows:,} rows exported to {file}; keep it confidential")
