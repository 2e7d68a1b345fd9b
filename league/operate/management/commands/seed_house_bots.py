"""`manage.py seed_house_bots`: create or update the house bots, opponents for everybody."""

from typing import Any

from django.core.management.base import BaseCommand

from league.bots import house_bots
from league.ladder import services as ladder


class Command(BaseCommand):
    """Safe to repeat: a house bot whose code did not change stays as it is."""

    help = "Update the house bots of all games to their current code and put them on the ladders."

    def handle(self, *_: Any, **__: Any) -> None:
        """Seed, and report what is new."""
        ladder.ensure()
        new = house_bots.seed()
        ladder.enrol()
        self.stdout.write(f"{new} new versions of house bots")
