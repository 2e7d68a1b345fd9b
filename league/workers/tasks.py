"""Messages about matches. They may come never, once or twice: the rows say what is to do."""

from celery import shared_task

from league.workers import wake_pipe


@shared_task
def wake() -> None:
    """Let a process that waits look into the queue now."""
    wake_pipe.one()
