"""Telling workers and the control process that there is something to do.

Sent after commit. A hint that does not arrive is no loss: the tick finds the rows.
"""

import logging
from functools import partial
from time import monotonic

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)

RATE_SECONDS = 5.0
"""A process asks for the ratings of a game no more often: rating one match by itself costs almost
as much as rating a hundred together, and the tick comes every second."""

_rated_at: dict[str, float] = {}


def look() -> None:
    """Uploads or matches wait."""
    transaction.on_commit(partial(_send, "league.matches.tasks.look"))


def rate(game: str) -> None:
    """A rated match is finished; others that finish soon after it wait for the next tick."""
    now = monotonic()
    if now - _rated_at.get(game, -RATE_SECONDS) < RATE_SECONDS:
        return
    _rated_at[game] = now
    transaction.on_commit(partial(_send, "league.ladder.tasks.rate", game))


def prove(game: str) -> None:
    """Staff ask whether all ratings of a ladder are right."""
    transaction.on_commit(partial(_send, "league.ladder.tasks.prove", game))


def _send(task: str, *args: str) -> None:
    try:
        current_app.send_task(task, args)
    except (OperationalError, OSError) as error:
        log.warning("nobody heard %s: %s", task, error)
