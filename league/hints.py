"""Telling workers and the control process that there is something to do.

Sent after commit. A hint that does not arrive is no loss: the tick finds the rows.
"""

import logging
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)


def look() -> None:
    """Uploads or matches wait."""
    transaction.on_commit(partial(_send, "league.matches.tasks.look"))


def rate(game: str) -> None:
    """A rated match is finished."""
    transaction.on_commit(partial(_send, "league.ladder.tasks.rate", game))


def prove(game: str) -> None:
    """Staff ask whether all ratings of a ladder are right."""
    transaction.on_commit(partial(_send, "league.ladder.tasks.prove", game))


def _send(task: str, *args: str) -> None:
    try:
        current_app.send_task(task, args)
    except (OperationalError, OSError) as error:
        log.warning("nobody heard %s: %s", task, error)
