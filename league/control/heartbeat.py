"""The heartbeat of a control process: written after work, so that a stuck one falls silent."""

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from django.db.models.functions import Now
from django.db.utils import DatabaseError
from django.utils import timezone

from league.control.models import ControlProcess

log = logging.getLogger(__name__)

WRITE_SECONDS = 5.0
"""If the row were written at every tick, an idle league would write little else."""


class _Heart:
    """What this process did last, and when it last reported that."""

    def __init__(self) -> None:
        self.host: str | None = None
        self.work: dict[str, Any] = {}
        self.written_at = 0.0


_heart = _Heart()


def announce(code: str) -> None:
    """Make this process the control process of its host."""
    _heart.host, _heart.work, _heart.written_at = socket.gethostname()[:200], {}, 0.0
    ControlProcess.objects.update_or_create(
        host=_heart.host,
        defaults={
            "pid": os.getpid(),
            "code": code,
            "started_at": Now(),
            "seen_at": Now(),
            "work": {},
        },
    )


@contextmanager
def noting(kind: str) -> Iterator[dict[str, int]]:
    """Report that a kind of work was done; the block fills in the counts.

    Work that fails is not reported, so a process in which all work fails falls silent.
    """
    started = monotonic()
    counts: dict[str, int] = {}
    yield counts
    _heart.work[kind] = {
        "at": timezone.now().isoformat(timespec="seconds"),
        "ms": round((monotonic() - started) * 1000),
        **{what: count for what, count in counts.items() if count},
    }
    _write()


def _write() -> None:
    if _heart.host is None or monotonic() - _heart.written_at < WRITE_SECONDS:
        return
    try:
        ControlProcess.objects.filter(host=_heart.host).update(
            pid=os.getpid(), seen_at=Now(), work=_heart.work
        )
    except DatabaseError as error:
        log.warning("could not store the heartbeat: %s", error)
        return
    _heart.written_at = monotonic()
