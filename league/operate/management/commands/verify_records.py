"""`manage.py verify_records`: verify stored matches by playing them again."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.matches.models import Record
from league.matches.records.verification import verify_stored


class Command(BaseCommand):
    """A record is valid if the engine reproduces its steps."""

    help = "Play stored matches again and compare every step (exit 1 if one differs)."

    def add_arguments(self, parser: CommandParser) -> None:
        """The options."""
        parser.add_argument("--sample", type=int, help="how many random records")

    def handle(self, *_: Any, sample: int | None, **__: Any) -> None:
        """Verify all or some records."""
        records = Record.objects.order_by("?")[:sample] if sample else Record.objects.order_by("pk")
        checked = wrong = 0
        for record in records.iterator(chunk_size=200):
            checked += 1
            if complaint := verify_stored(record):
                wrong += 1
                self.stderr.write(f"match {record.match_id}: {complaint}")
        self.stdout.write(f"{checked - wrong:,} of {checked:,} records are valid")
        if wrong:
            sys.exit(1)
