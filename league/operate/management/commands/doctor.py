"""`manage.py doctor`: check everything a league needs on this machine."""

import sys
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection

from engine.registry import GAMES
from league.blobs import store
from league.celery import app
from runners.box.select import choose
from runners.plugins.discovery import refusals


class Command(BaseCommand):
    """The doctor command, which reports what works, what does not, and what to do."""

    help = "Check database, broker, files, games and sandbox (exit status 1 if one fails)."

    def handle(self, *_: Any, **__: Any) -> None:
        """Check the database, the broker, the files of bots, the games and the sandbox in turn."""
        fine = self._try("database", _database)
        fine &= self._try("broker", _broker)
        fine &= self._try("files of bots", store.describe)
        self.stdout.write(f"games: {', '.join(GAMES)}")
        for refusal in refusals():
            self.stdout.write(f"  REFUSED  {refusal}")
        choice = choose(embedded=settings.EMBEDDED)
        self.stdout.write(f"boxes: {choice.mode or 'none'}. {choice.advice}".rstrip())
        for wall in choice.walls:
            self.stdout.write(f"  {'held  ' if wall.held else 'BROKEN'}  a bot {wall.name}")
        if not fine or choice.mode is None:
            sys.exit(1)

    def _try(self, name: str, attempt: Callable[[], str]) -> bool:
        # Whatever fails is what the operator wants to see.
        try:
            self.stdout.write(f"{name}: {attempt()}")
        except Exception as error:
            self.stdout.write(f"{name}: FAILED, {error}")
            return False
        return True


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("select 1")
    return f"{connection.vendor} answers"


def _broker() -> str:
    with app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1, timeout=3)
        return f"{broker.transport.driver_type} answers"
