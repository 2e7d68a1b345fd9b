"""Messages to workers. They may be lost or come twice: the rows say what is to do."""

from celery import shared_task

from league.workers import wake_pipe


@shared_task
def wake() -> None:
    """Let an idle process look into the queue now."""
    wake_pipe.one()
