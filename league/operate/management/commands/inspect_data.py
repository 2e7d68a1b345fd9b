"""`manage.py inspect_data`: run the nightly inspection of the stored data now."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.operate.inspection import Subject, inspect


class Command(BaseCommand):
    """The inspection of records, ledger, standings and matches; its page shows the results, too."""

    help = "Inspect all stored data and store the result (exit status 1 if something is wrong)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("--only", choices=Subject.values, help="only this subject")
        parser.add_argument("--sample", type=int, help="number of random records to inspect")

    def handle(self, *_: Any, only: str | None, sample: int | None, **__: Any) -> None:
        """Inspect one subject after the other."""
        wrong = 0
        for subject in [Subject(only)] if only else Subject:
            result = inspect(subject, sample)
            wrong += result.wrong
            self.stdout.write(
                f"{subject}: {result.looked_at:,} inspected in {result.seconds} s, "
                f"{result.wrong:,} wrong"
            )
            for line in result.named:
                self.stdout.write(f"  {line}")
        if wrong:
            sys.exit(1)
