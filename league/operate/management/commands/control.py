"""`manage.py control`: ladder matches, ratings and schedules. One is enough; two are harmless."""

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
    """The control process, which runs everything that is due at fixed intervals."""

    help = "Queue ladder matches, write ratings and run schedules until stopped."

    def handle(self, *_: Any, **__: Any) -> None:
        """Run the clock until stopped."""
        if fleet.lead(rules_code()):
            self.stdout.write(f"matches are now played by code version {rules_code()}")
        heartbeat.announce(rules_code())
        Clock(
            [
                Chore(ladder.tick, 1),
                Chore(tournaments.tick, 1),
                Chore(operate.start_verifications, 1),
                Chore(operate.tick, 30),
            ],
            # A tick checks between two units of work whether it has to end.
            on_stop=work.stop,
        ).run()
