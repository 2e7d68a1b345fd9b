"""`manage.py rebuild_statistics`: proves how bots play and whom they beat, or repairs it."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.matches.statistics.rebuild import rebuild


class Command(BaseCommand):
    """All sums follow from the matches and their records; a difference is a damage or a bug."""

    help = (
        "Count anew how bots play and whom they beat; --check only compares (exit 1 if different). "
        "Workers wait with storing matches until it is done."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """The options."""
        parser.add_argument("--check", action="store_true", help="compare and change nothing")

    def handle(self, *_: Any, check: bool, **__: Any) -> None:
        """Compare, and write what was wrong unless asked not to."""
        found = rebuild(write=not check)
        self.stdout.write(f"{found.matches:,} matches, {found.differences} differences")
        for line in found.named:
            self.stdout.write(f"  {line}")
        if found.differences and check:
            sys.exit(1)
