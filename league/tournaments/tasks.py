"""The tick of the tournaments. Running it twice does no harm."""

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils import timezone

from league.control import heartbeat
from league.control.work import Rota
from league.tournaments.models import RecurringTournament, Tournament
from league.tournaments.services import lifecycle, recurring

log = logging.getLogger(__name__)

State = Tournament.State
_recurring, _playing, _due = Rota(), Rota(), Rota()


def tick() -> None:
    """Open, close, start, continue and finish what is due, a portion of each kind.

    Running tournaments come before those that are to begin, because people watch them.
    """
    now = timezone.now()
    with heartbeat.noting("tournaments") as done:
        schedules = RecurringTournament.objects.filter(stopped=False).exclude(
            organiser__is_active=False
        )
        for schedule in _recurring.rows(schedules):
            _isolate(recurring.open_due_tournaments, schedule, now)
        for tournament in _playing.rows(Tournament.objects.filter(state=State.RUNNING)):
            _isolate(lifecycle.move_on, tournament, now)
        done["begun"] = 0
        for tournament in _due.rows(Tournament.objects.filter(_begins(now))):
            done["begun"] += 1
            _isolate(lifecycle.move_on, tournament, now)


def _begins(now: datetime) -> Q:
    """Select tournaments whose entry closes or whose games start by now."""
    return Q(state=State.OPEN, locks_at__lte=now) | Q(state=State.LOCKED, starts_at__lte=now)


def _isolate(step: Callable[..., None], *args: Any) -> None:
    """Take a step and log its failure: one broken tournament must not stop the others."""
    try:
        step(*args)
    except Exception:
        log.exception("%s could not be moved on", args[0])
