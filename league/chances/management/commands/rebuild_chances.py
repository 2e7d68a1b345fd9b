"""`manage.py rebuild_chances`: estimate the chances in older matches, or all of them again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.chances import queries, services
from league.chances.models import MatchChances
from league.matches.models import Match

DEFAULT_MATCHES = 1000


class Command(BaseCommand):
    """The estimate of matches that no worker had time for, and of those by another version."""

    help = (
        "Estimate the chances in matches that have none of the current version, the latest first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "--matches",
            type=int,
            default=DEFAULT_MATCHES,
            help=f"maximum number of matches (default {DEFAULT_MATCHES:,}; 0.2 s of CPU time each)",
        )
        parser.add_argument(
            "--all", action="store_true", help="also those that have chances already"
        )

    def handle(self, *_: Any, matches: int, all: bool, **__: Any) -> None:  # noqa: A002  an option
        """Compute them, and say how many remain."""
        finished = Match.objects.finished().filter(record__isnull=False)
        todo = finished if all else queries.without_chances()
        done = sum(
            services.compute(pk, anew=all)
            for pk in list(todo.values_list("pk", flat=True)[: max(0, matches)])
        )
        self.stdout.write(f"{_matches(done)} estimated")
        if remaining := queries.without_chances().count():
            has = "has" if remaining == 1 else "have"
            self.stdout.write(f"{_matches(remaining)} {has} no estimate of this version yet")
        if given_up := MatchChances.objects.given_up().count():
            self.stdout.write(f"{_matches(given_up)} given up; --all tries again")


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count:,} matches"
