"""Messages about matches. They may come never, once or twice: the rows say what is to do."""

from celery import shared_task

from league import hints
from league.matches import worker


@shared_task
def look() -> None:
    """Work on uploads and matches that wait, for some seconds; look again if there are more."""
    if worker.work():
        hints.look()
