"""`manage.py seed_demo`: make up a large league, to view pages and measure their speed."""

from random import Random
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.bots.models import Bot
from league.operate.demo import Demo

MIN_BOTS = 20


class Command(BaseCommand):
    """The demo league. It needs an empty database: made-up matches must not mix with real ones."""

    help = "Fill an empty league with made-up bots and matches, to see how the pages cope."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("--matches", type=int, default=100_000)
        parser.add_argument("--bots", type=int, default=500)
        parser.add_argument(
            "--played",
            type=int,
            default=300,
            help="number of latest matches that are really played",
        )
        parser.add_argument(
            "--seed", type=int, default=1, help="the same seed makes the same league"
        )

    def handle(self, *_: Any, matches: int, bots: int, played: int, seed: int, **__: Any) -> None:
        """Fill the league and report how long that took."""
        if Bot.objects.exists():
            raise CommandError("This league is not empty. Set KARAT_VAR to a new folder.")
        if bots < MIN_BOTS or matches < bots:
            raise CommandError(
                f"There must be at least {MIN_BOTS} bots, and no fewer matches than bots."
            )
        started = perf_counter()
        Demo(matches, bots, played, Random(seed)).fill()
        seconds = perf_counter() - started
        self.stdout.write(f"{matches:,} matches of {bots:,} bots in {seconds:.0f} s")
