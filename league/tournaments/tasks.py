"""The tick of the tournaments. Running it twice does no harm."""

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from league.control import heartbeat
from league.control.glance import Glance
from league.control.work import Rota
from league.tournaments.models import RecurringTournament, Tournament
from league.tournaments.sealing import services as sealing
from league.tournaments.services import lifecycle, recurring

log = logging.getLogger(__name__)

State = Tournament.State
_recurring, _playing, _due = Rota(), Rota(), Rota()
_SCHEDULES, _RUNNING, _BEGINNING = "schedules", "running", "beginning"


def tick() -> None:
    """Open, close, start, continue and finish what is due, a portion of each kind.

    Running tournaments come before those that are to begin, because people watch them.
    """
    now = timezone.now()
    with heartbeat.noting("tournaments") as done:
        done["begun"] = 0
        due = _glance.look()
        if _SCHEDULES in due:
            for schedule in _recurring.rows(_schedules()):
                _isolate(recurring.open_due_tournaments, schedule, now)
        if _RUNNING in due:
            for tournament in _playing.rows(_running()):
                _isolate(lifecycle.move_on, tournament, now)
                _isolate(sealing.reveal_due, tournament, now)
        if _BEGINNING in due:
            for tournament in _due.rows(Tournament.objects.filter(_begins(now))):
                done["begun"] += 1
                _isolate(lifecycle.move_on, tournament, now)


def _schedules() -> "QuerySet[RecurringTournament]":
    going_on = RecurringTournament.objects.filter(stopped=False)
    return going_on.exclude(organiser__is_active=False)


def _running() -> "QuerySet[Tournament]":
    return Tournament.objects.filter(state=State.RUNNING).select_related("organiser")


_glance = Glance(
    lambda: {
        _SCHEDULES: _schedules(),
        _RUNNING: _running(),
        _BEGINNING: Tournament.objects.filter(_begins(Now())),
    }
)


def _begins(now: datetime | Now) -> Q:
    """Select tournaments whose entry closes or whose games start by now."""
    return Q(state=State.OPEN, locks_at__lte=now) | Q(state=State.LOCKED, starts_at__lte=now)


def _isolate(step: Callable[..., None], *args: Any) -> None:
    """Take a step and log its failure: one broken tournament must not stop the others."""
    try:
        step(*args)
    except Exception:
        log.exception("%s could not be moved on", args[0])
