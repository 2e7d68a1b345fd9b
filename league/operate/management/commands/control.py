"""`manage.py control`: ticks, ratings and schedules. One is enough; two do no harm."""

from typing import Any

from django.core.management.base import BaseCommand

from league.control import heartbeat, work
from league.control.clock import Chore, Clock
from league.ladder import tasks as ladder
from league.operate import tasks as operate
from league.tournaments import tasks as tournaments
from league.version import rules_code
from league.workers import fleet


class Command(BaseCommand):
    """Starts the clock that makes the league tick."""

    help = "Make ladder matches, write ratings, run schedules, until told to stop."

    def handle(self, *_: Any, **__: Any) -> None:
        """Run until stopped."""
        if fleet.lead(rules_code()):
            self.stdout.write(f"matches are played by the code {rules_code()} from now on")
        heartbeat.announce(rules_code())
        Clock(
            [
                Chore(ladder.tick, 1),
                Chore(tournaments.tick, 1),
                Chore(operate.start_proofs, 1),
                Chore(operate.tick, 30),
            ],
            # A tick looks between two units of work whether it should end.
            on_stop=work.stop,
        ).run()
