"""`manage.py status`: show the status of the league."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.operate.report import status


class Command(BaseCommand):
    """The status command, with the same numbers as the status page."""

    help = "Show the queue, the matches, the control process, backups and the workers."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(self, *_: Any, as_json: bool, **__: Any) -> None:
        """Print the status as text or JSON."""
        now = status()
        if as_json:
            self.stdout.write(json.dumps(now, indent=2))
            return
        queue, matches = now["queue"], now["matches"]
        self.stdout.write(
            f"queue: {queue['queued']} waiting (the oldest for {queue['oldest_seconds']} s), "
            f"{queue['running']} running; {now['uploads']['waiting']} uploads waiting"
        )
        self.stdout.write(
            f"matches: {matches['finished']:,} finished, {matches['rated']:,} rated, "
            f"{matches['void']:,} void"
        )
        self.stdout.write(_control(now["control"]))
        for kind, run in now["maintenance"].items():
            summary = f"{run['hours_ago']} h ago, {run['bytes']:,} bytes" if run else "never"
            self.stdout.write(f"last {kind}: {summary}")
        self.stdout.write(f"database: {now['database']['bytes']:,} bytes")
        for worker in now["workers"]:
            self.stdout.write(
                f"worker {worker['name']}: last heartbeat {worker['seconds_ago']} s ago, "
                f"looked for work {worker['looked_seconds_ago']} s ago, "
                f"{worker['capacity']} at once, {worker['finished']:,} finished. "
                f"{worker['sandbox']}: {worker['sandbox_said']}"
            )
            if worker["refuses"]:
                self.stdout.write(f"  takes no jobs: {worker['refuses']}")


def _control(process: dict[str, Any] | None) -> str:
    if process is None:
        return "control: NO HEARTBEAT YET; start it with `manage.py control`"
    if not process["alive"]:
        return f"control: SILENT for {process['seconds_ago']} s; it was {process['host']}"
    work = ", ".join(f"{kind} {one['ms']} ms" for kind, one in sorted(process["work"].items()))
    return f"control: {process['host']}, last heartbeat {process['seconds_ago']} s ago; {work}"
