"""`manage.py compact`: compact old records, or expand all of them again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.operate import maintenance, retention


class Command(BaseCommand):
    """The compact command. Readers notice no difference: compact records are replayed when read."""

    help = (
        "Reduce all but the latest records of each game to moves and times. "
        "--expand stores all of them in full again: do that before the rules of a game change."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--keep", type=int, help="how many records of each game stay complete")
        what.add_argument("--expand", action="store_true", help="expand all records")
        parser.add_argument(
            "--shrink",
            action="store_true",
            help="return free space to the disk; records can be neither read nor stored meanwhile",
        )

    def handle(self, *_: Any, keep: int | None, expand: bool, shrink: bool, **__: Any) -> None:
        """Compact or expand records, and report how many."""
        if expand:
            self.stdout.write(f"{retention.expand_all():,} records expanded")
            return
        compacted, skipped = retention.compact_all(keep or 0)
        self.stdout.write(f"{compacted:,} records compacted")
        if skipped:
            self.stdout.write(f"{skipped:,} skipped: they would differ when played again")
        if shrink:
            maintenance.return_space()
        size = maintenance.records_bytes()
        maintenance.note(maintenance.Kind.COMPACTION, size, f"{compacted} records compacted")
        self.stdout.write(
            f"the records take {size / 1e6:,.1f} MB on disk"
            + ("" if shrink else "; new records will reuse the free space in it")
        )
