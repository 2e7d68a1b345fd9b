"""`manage.py seed_house_bots`: create or update the house bots."""

from typing import Any

from django.core.management.base import BaseCommand

from league.bots import house_bots
from league.ladder import services as ladder


class Command(BaseCommand):
    """The house bots' update. Safe to repeat: unchanged house bots stay as they are."""

    help = "Update the house bots of all games to their current code and put them on the ladders."

    def handle(self, *_: Any, **__: Any) -> None:
        """Update the house bots and report the number of new versions."""
        ladder.ensure()
        new = house_bots.seed()
        ladder.enrol()
        self.stdout.write(f"{new} new versions of house bots")
