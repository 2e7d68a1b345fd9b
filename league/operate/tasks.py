"""What the control process does for the operator. Twice does no harm."""

from django.conf import settings

from league.control import heartbeat
from league.matches import watch
from league.operate import inspection, maintenance, retention
from league.operate.background import commands


def tick() -> None:
    """Set aside workers that cannot be trusted; remove what is too old; look at the data."""
    with heartbeat.noting("operate") as done:
        watch.look_after()
        done["removed"] = retention.remove_old_logs()
        retention.remove_expired()
        if commands.busy:
            return
        if subject := inspection.due():
            commands.start("inspect_data", "--only", subject)
        elif maintenance.compaction_due():
            commands.start("compact", "--keep", str(settings.COMPACT_KEEP))
