"""`manage.py rebuild_statistics`: verify the statistics of bots, or repair them."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.matches.statistics.rebuild import rebuild


class Command(BaseCommand):
    """The check of statistics. They follow from the matches: a difference is damage or a bug."""

    help = (
        "Recount how bots play and whom they beat; --check only compares (exit status 1 if "
        "different). Workers store no matches until it is done."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("--check", action="store_true", help="compare and change nothing")

    def handle(self, *_: Any, check: bool, **__: Any) -> None:
        """Compare, and repair unless only a check is requested."""
        result = rebuild(write=not check)
        self.stdout.write(f"{result.matches:,} matches, {result.differences} differences")
        for line in result.named:
            self.stdout.write(f"  {line}")
        if result.differences and check:
            sys.exit(1)
