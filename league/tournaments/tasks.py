"""The tick of the tournaments. Twice does no harm."""

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils import timezone

from league.control import heartbeat
from league.control.work import Rota
from league.tournaments.models import Cup, Tournament
from league.tournaments.services import lifecycle, recurring

log = logging.getLogger(__name__)

State = Tournament.State


_cups, _playing, _due = Rota(), Rota(), Rota()


def tick() -> None:
    """Open, close, start, play on and finish whatever it is time for; a portion of each.

    Those that are being played come before those that are to begin: people watch them.
    """
    now = timezone.now()
    with heartbeat.noting("tournaments") as done:
        cups = Cup.objects.filter(stopped=False).exclude(organiser__is_active=False)
        for cup in _cups.rows(cups):
            _alone(recurring.open_due_tournaments, cup, now)
        for tournament in _playing.rows(Tournament.objects.filter(state=State.RUNNING)):
            _alone(lifecycle.move_on, tournament, now)
        done["begun"] = 0
        for tournament in _due.rows(Tournament.objects.filter(_begins(now))):
            done["begun"] += 1
            _alone(lifecycle.move_on, tournament, now)


def _begins(now: datetime) -> Q:
    """Whose entry closes or whose games start by now."""
    return Q(state=State.OPEN, locks_at__lte=now) | Q(state=State.LOCKED, starts_at__lte=now)


def _alone(step: Callable[..., None], *about: Any) -> None:
    """What breaks at one tournament is ours to look at, and must not stop the others."""
    try:
        step(*about)
    except Exception:
        log.exception("%s could not be moved on", about[0])
