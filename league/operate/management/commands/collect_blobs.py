"""`manage.py collect_blobs`: remove the files that no bot has any more."""

from typing import Any

from django.core.management.base import BaseCommand

from league.blobs import collecting
from league.operate import maintenance


class Command(BaseCommand):
    """The collection of unused files; the control process runs it every night."""

    help = "Remove files of bots that nothing refers to for a day, also from BLOB_STORE."

    def handle(self, *_: Any, **__: Any) -> None:
        """Remove them portion by portion, then what a crash left outside of the database."""
        removed = 0
        while count := collecting.collect_old():
            removed += count
        strays = 0
        while count := collecting.collect_strays():
            strays += count
        total, _inside = maintenance.blobs_bytes()
        detail = f"{removed:,} unused blobs and {strays:,} stray files removed"
        maintenance.note(maintenance.Kind.COLLECTION, total, detail)
        self.stdout.write(f"{detail}; {total:,} bytes of files are left")
