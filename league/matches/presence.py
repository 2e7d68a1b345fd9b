"""The life of a worker as Celery tells it: it registers, keeps saying that it lives, and leaves."""

import logging
import signal
import threading
from typing import Any

from celery import signals
from django.conf import settings
from django.db import connection
from django.db.models.functions import Now
from django.db.utils import DatabaseError

from league.matches import fleet, worker
from league.matches.models import Worker
from league.parent import end_with_parent

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 5

_left = threading.Event()


def announce(processes: int, code: str) -> None:
    """Call before Celery starts: this process is the parent of some that play.

    On a server a worker that was drained or set aside stays so when it starts again: an operator
    decided, or has to look. On one machine starting again is looking.
    """
    Worker.objects.update_or_create(
        name=worker.name(),
        defaults={
            "capacity": processes,
            "version": code,
            "seen_at": Now(),
            "sandbox_ok": False,
            "sandbox_said": "not tried yet",
            "unfinished": 0,
            "taking_since": None,
        },
    )
    if settings.EMBEDDED:
        fleet.undrain(worker.name())
    connection.close()
    signals.worker_ready.connect(_stay, weak=False)
    signals.worker_shutting_down.connect(_stop, weak=False)
    signals.worker_process_init.connect(_die_with_parent, weak=False)


def _stay(**_: Any) -> None:
    threading.Thread(target=_beat, name="heartbeat", daemon=True).start()


def _beat() -> None:
    while not _left.wait(HEARTBEAT_SECONDS):
        try:
            Worker.objects.filter(name=worker.name()).update(seen_at=Now())
        except DatabaseError as error:
            log.warning("the heartbeat was not stored: %s", error)
        finally:
            connection.close()


def _stop(**_: Any) -> None:
    worker.stopping.set()
    _left.set()


def _die_with_parent(**_: Any) -> None:
    """A parent that is killed takes its children along, and they their boxes."""
    end_with_parent(signal.SIGKILL)
    worker.walls.hold()
