"""The tick of the tournaments. May come never, once or twice."""

import logging
from collections.abc import Callable
from typing import Any

from celery import shared_task
from django.utils import timezone

from league.tournaments import recurring, services
from league.tournaments.models import Cup, Tournament

log = logging.getLogger(__name__)


@shared_task
def tick() -> None:
    """Open, close, start, play on and finish whatever it is time for."""
    now = timezone.now()
    for cup in Cup.objects.filter(stopped=False):
        _alone(recurring.look_after, cup, now)
    states = [Tournament.State.OPEN, Tournament.State.LOCKED, Tournament.State.RUNNING]
    for tournament in Tournament.objects.filter(state__in=states).order_by("pk"):
        _alone(services.move_on, tournament, now)


def _alone(step: Callable[..., None], *about: Any) -> None:
    """What breaks at one tournament is ours to look at, and must not stop the others."""
    try:
        step(*about)
    except Exception:
        log.exception("%s could not be moved on", about[0])
