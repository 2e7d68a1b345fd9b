"""`manage.py run`: run a whole league on this machine."""

import fcntl
import os
import sys
from pathlib import Path
from typing import Any, TextIO

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.utils import timezone

from league.bots import checks, house_bots
from league.bots.models import BotVersion
from league.jobs import leases
from league.ladder import services as ladder
from league.matches import services as matches
from league.matches.models import Match
from league.operate import admin_account, former_database, report
from league.operate.interfaces import allowed_hosts, site_url
from league.operate.supervisor import Child, Gone, Supervisor, manage
from league.tournaments import demo
from league.version import rules_code
from league.workers import fleet


class Command(BaseCommand):
    """The whole league in one command: web, worker and control."""

    help = "Run the whole league on this machine until Ctrl-C: site, workers, ladder, ratings."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("--host", default=os.environ.get("HOST") or "127.0.0.1")
        parser.add_argument("--port", type=int, default=int(os.environ.get("PORT") or 8000))
        parser.add_argument(
            "--workers", type=int, help="matches at the same time (default: one per core)"
        )

    def handle(self, *_: Any, host: str, port: int, workers: int | None, **__: Any) -> None:
        """Prepare the database, then run until stopped."""
        lock = _only_one(settings.VAR / "run.lock")
        self._prepare()
        processes = ["--processes", str(workers)] if workers else []
        children = [
            Child("web", _web(host, port)),
            Child("worker", manage("worker", "--name", "local", *processes)),
            Child("control", manage("control")),
        ]
        self._say(f"the league is at {site_url(host, port)}/   Press Ctrl-C to stop")
        progress = report.Progress(self._show)
        supervisor = Supervisor(children, self._say, _environment(host, port))
        try:
            supervisor.run(progress.tick)
        except Gone as gone:
            raise CommandError(str(gone)) from None
        finally:
            lock.close()
        self._say("stopped; everything is stored, `make run` continues from here")

    def _prepare(self) -> None:
        self._move_former_database()
        self._say("preparing the database")
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        _take_back()
        fleet.lead(rules_code())
        new = house_bots.seed()
        ladder.ensure()
        if settings.EMBEDDED:
            demo.ensure()
        self._say(f"{new} new house bots" if new else "house bots are up to date")
        self._admin()

    def _move_former_database(self) -> None:
        """Move a database aside that cannot be migrated, so that none is migrated halfway."""
        try:
            former = former_database.move_aside(connection, timezone.now())
        except former_database.FormerDatabase as refusal:
            raise CommandError(str(refusal)) from None
        if former is not None:
            self._say("the database was made by an older version and cannot be upgraded")
            self._say(f"it was moved to {former}; the league starts with an empty one")

    def _admin(self) -> None:
        """Create an account for the operator, and say how to sign in while it is new."""
        admin_account.ensure()
        if password := admin_account.current_password():
            self._say(f"sign in as {admin_account.NAME} with the password {password}")
            self._say("to see it again:  .venv/bin/python manage.py admin_password")

    def _say(self, text: str) -> None:
        self._show(f"karat: {text}\n")

    def _show(self, text: str) -> None:
        self.stdout.write(text, ending="")
        self.stdout.flush()


def _only_one(path: Path) -> TextIO:
    """Return a lock that only one process can hold: two would give back each other's matches."""
    lock = path.open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise CommandError(
            f"this league is already running (its data is in {path.parent})"
        ) from None
    return lock


def _take_back() -> None:
    """Give back running jobs: nobody else plays on this machine, so they were interrupted."""
    if not settings.EMBEDDED:
        return
    for match in Match.objects.filter(status=Match.Status.RUNNING):
        matches.give_back(leases.Lease.of(match), "the league was stopped")
    for version in BotVersion.objects.filter(status=BotVersion.Status.CHECKING):
        checks.give_back(leases.Lease.of(version))


def _web(host: str, port: int) -> list[str]:
    return [
        *(sys.executable, "-m", "uvicorn", "league.asgi:application"),
        *("--host", host, "--port", str(port), "--log-level", "warning", "--no-access-log"),
        # PROXIES defines which addresses are trusted, in one place for all ways to run the site.
        *("--no-proxy-headers", "--no-server-header"),
        *("--lifespan", "off", "--timeout-graceful-shutdown", "3"),
    ]


def _environment(host: str, port: int) -> dict[str, str]:
    """Return the environment of the child processes."""
    # Operators may name folders with installed games in PYTHONPATH.
    folders = [str(settings.ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        "SITE_URL": site_url(host, port),
        "ALLOWED_HOSTS": ",".join(allowed_hosts(host)),
        **os.environ,
        "PYTHONPATH": os.pathsep.join(folders),
        "TMPDIR": str(settings.VAR),
    }
