"""`manage.py rebuild_ratings`: proves the ledger of ratings, or repairs it."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from engine.registry import GAMES
from league.ladder.ratings import verification
from league.ladder.ratings.rebuild import rebuild


class Command(BaseCommand):
    """Every digit follows from the matches; a difference is a damage or a bug."""

    help = "Compute all ratings anew from the matches; --check only compares (exit 1 if different)."

    def add_arguments(self, parser: CommandParser) -> None:
        """The options."""
        parser.add_argument("--check", action="store_true", help="compare and change nothing")
        parser.add_argument("--game", choices=list(GAMES), help="only this ladder")
        parser.add_argument(
            "--requested",
            action="store_true",
            help="compare the ladders for which staff asked on their page, and show it there",
        )

    def handle(self, *_: Any, check: bool, game: str | None, requested: bool, **__: Any) -> None:
        """Compare each ladder, and write what was wrong unless asked not to."""
        if requested:
            for slug in verification.requested():
                verification.run(slug)
            return
        differences = 0
        for slug in [game] if game else GAMES:
            found = rebuild(slug, write=not check)
            differences += found.differences
            self.stdout.write(f"{slug}: {found.matches:,} matches, {found.differences} differences")
            for line in found.named:
                self.stdout.write(f"  {line}")
        if differences and check:
            sys.exit(1)
