"""`manage.py inspect_data`: what the league does every night, now."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.operate.inspection import Subject, inspect


class Command(BaseCommand):
    """Records, ledger, standings and matches; the results are on the page of inspections too."""

    help = "Look at all stored data and keep what came out (exit 1 if something is wrong)."

    def add_arguments(self, parser: CommandParser) -> None:
        """The options."""
        parser.add_argument("--only", choices=Subject.values, help="one of the questions")
        parser.add_argument("--sample", type=int, help="so many records, chosen by chance")

    def handle(self, *_: Any, only: str | None, sample: int | None, **__: Any) -> None:
        """Ask one after the other."""
        wrong = 0
        for subject in [Subject(only)] if only else Subject:
            found = inspect(subject, sample)
            wrong += found.wrong
            self.stdout.write(
                f"{subject}: {found.looked_at:,} looked at in {found.seconds} s, "
                f"{found.wrong:,} wrong"
            )
            for line in found.named:
                self.stdout.write(f"  {line}")
        if wrong:
            sys.exit(1)
