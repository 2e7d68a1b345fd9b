"""`manage.py verify_records`: verify stored matches by playing them again."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.matches.models import Record
from league.matches.records.verification import verify_stored


class Command(BaseCommand):
    """The verification of records: valid ones are reproduced by the engine step by step."""

    help = "Play stored matches again and compare every step (exit status 1 if one differs)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("--sample", type=int, help="number of random records to verify")

    def handle(self, *_: Any, sample: int | None, **__: Any) -> None:
        """Verify all records, or a random sample of them."""
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
