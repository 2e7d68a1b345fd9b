"""How the league is doing, for the operator's terminal."""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.utils import timezone

from league.bots.models import Bot
from league.control.models import ControlProcess
from league.ladder.models import Ladder
from league.matches.models import Match
from league.operate import maintenance
from league.workers import fleet
from league.workers.models import Worker
from league.workers.state import state

PROGRESS_SECONDS = 5


def status() -> dict[str, Any]:
    """Return the public status, and what only an operator needs."""
    now = state()
    return {
        "queue": {
            "queued": now.queued,
            "running": now.running,
            "oldest_seconds": round(now.oldest_seconds, 1),
        },
        "uploads": {"waiting": now.uploads},
        "matches": {
            "finished": now.finished,
            "void": now.void,
            "rated": sum(Ladder.objects.values_list("rated", flat=True)),
        },
        "workers": [_worker(worker) for worker in now.workers],
        "control": _control(now.control),
        "maintenance": {kind.value: _maintenance(kind) for kind in maintenance.Kind},
        "database": {"bytes": maintenance.database_bytes()},
        "versions": {"karat": now.karat, "code": now.code, "rules": now.rules},
    }


def _control(process: ControlProcess | None) -> dict[str, Any] | None:
    if process is None:
        return None
    return {
        "host": process.host,
        "pid": process.pid,
        "code": process.code,
        "started": process.started_at.isoformat(),
        "heartbeat": process.seen_at.isoformat(),
        "seconds_ago": round(process.silent_seconds, 1),
        "alive": process.alive,
        "work": process.work,
    }


def _maintenance(kind: maintenance.Kind) -> dict[str, Any] | None:
    run = maintenance.latest(kind)
    if run is None:
        return None
    return {
        "finished": run.finished_at.isoformat(),
        "hours_ago": round((timezone.now() - run.finished_at).total_seconds() / 3600, 1),
        "bytes": run.size_bytes,
        "detail": run.detail,
    }


def _worker(worker: Worker) -> dict[str, Any]:
    seen_at = worker.seen_at
    return {
        "name": worker.name,
        "heartbeat": seen_at.isoformat() if seen_at else None,
        "seconds_ago": _seconds_ago(seen_at),
        "looked_seconds_ago": _seconds_ago(worker.looked_at),
        "capacity": worker.capacity,
        "sandbox": worker.sandbox,
        "sandbox_ok": worker.sandbox_ok,
        "sandbox_said": worker.sandbox_said,
        "version": worker.version,
        "finished": worker.finished,
        "draining": worker.draining,
        "set_aside": worker.quarantine_reason if worker.quarantined_at else None,
        "retest_at": worker.retest_at.isoformat() if worker.retest_at else None,
        "refuses": fleet.refusal(worker.name),
    }


def _seconds_ago(moment: datetime | None) -> float | None:
    return round((timezone.now() - moment).total_seconds(), 1) if moment else None


class Progress:
    """Writes a line about the league every few seconds."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._next_at = time.monotonic() + PROGRESS_SECONDS
        self._before: tuple[float, int] | None = None

    def tick(self) -> None:
        """Write a line if it is due. To be called every second."""
        now = time.monotonic()
        if now < self._next_at:
            return
        self._next_at = now + PROGRESS_SECONDS
        finished = Match.objects.finished().count()
        waiting = Match.objects.queued().count()
        rate = ""
        if self._before:
            seconds, count = now - self._before[0], finished - self._before[1]
            rate = f", {count / seconds:.1f} per second"
        self._before = now, finished
        bots = Bot.objects.count()
        self._show(f"karat: {finished:,} matches{rate}, {waiting} waiting, {bots} bots\n")
