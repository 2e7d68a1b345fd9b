"""`manage.py rebuild_ratings`: verify the ledger of ratings, or repair it."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from engine.registry import GAMES
from league.ladder.ratings import verification
from league.ladder.ratings.rebuild import rebuild


class Command(BaseCommand):
    """The check of the ledger. Ratings follow from the matches: a difference is damage or a bug."""

    help = (
        "Recompute all ratings from the matches; --check only compares "
        "(exit status 1 if different)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("--check", action="store_true", help="compare and change nothing")
        parser.add_argument("--game", choices=list(GAMES), help="only this ladder")
        parser.add_argument(
            "--requested",
            action="store_true",
            help="compare the ladders that staff requested, and show the result on their page",
        )

    def handle(self, *_: Any, check: bool, game: str | None, requested: bool, **__: Any) -> None:
        """Compare each ladder, and repair it unless only a check is requested."""
        if requested:
            for slug in verification.requested():
                verification.run(slug)
            return
        differences = 0
        for slug in [game] if game else GAMES:
            result = rebuild(slug, write=not check)
            differences += result.differences
            self.stdout.write(
                f"{slug}: {result.matches:,} matches, {result.differences} differences"
            )
            for line in result.named:
                self.stdout.write(f"  {line}")
        if differences and check:
            sys.exit(1)
