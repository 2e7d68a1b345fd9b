"""`manage.py compact`: makes old records small, or all of them whole again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.operate import maintenance, retention


class Command(BaseCommand):
    """Nobody sees a difference: a compact record is played again whenever somebody reads it."""

    help = (
        "Keep only moves and times of all but the latest records of each game. "
        "--expand makes all of them whole again: do that before the rules of a game change."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """The options."""
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--keep", type=int, help="so many of each game stay whole")
        what.add_argument("--expand", action="store_true", help="make all of them whole")
        parser.add_argument(
            "--shrink",
            action="store_true",
            help="return the room to the disk; nobody can read or store records meanwhile",
        )

    def handle(self, *_: Any, keep: int | None, expand: bool, shrink: bool, **__: Any) -> None:
        """Do it, and say how much."""
        if expand:
            self.stdout.write(f"{retention.expand_all():,} records are whole again")
            return
        made, left = retention.compact_all(keep or 0)
        self.stdout.write(f"{made:,} records were compacted")
        if left:
            self.stdout.write(f"{left:,} stay whole: played again they would not be the same")
        if shrink:
            maintenance.return_space()
        size = maintenance.records_bytes()
        maintenance.note(maintenance.Kind.COMPACTION, size, f"{made} records made small")
        self.stdout.write(
            f"records take {size / 1e6:,.1f} MB "
            + ("on the disk now" if shrink else "on the disk; what became free is for new ones")
        )
