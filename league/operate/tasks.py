"""What the control process does for the operator. All may come never, once or twice."""

from celery import shared_task

from league.matches import watch
from league.operate import inspection, retention


@shared_task
def tick() -> None:
    """Set aside workers that cannot be trusted; remove what is too old; look at the data."""
    watch.look_after()
    retention.remove_old_logs()
    retention.remove_expired()
    inspection.inspect_if_due()
