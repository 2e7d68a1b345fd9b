"""What the control process does for the operator. A repetition does no harm."""

from functools import partial

from django.conf import settings

from league.control import heartbeat
from league.control.glance import Glance
from league.control.work import do_each
from league.ladder.ratings import verification
from league.operate import inspection, maintenance, retention
from league.operate.background import commands
from league.workers.trust import quarantine

_requests = Glance(lambda: {"verifications": verification.requests()})


def start_verifications() -> None:
    """Start the verifications that staff requested; they may take minutes, so not here."""
    if not commands.busy and _requests.look():
        commands.start("rebuild_ratings", "--requested")


def tick() -> None:
    """Quarantine workers that cannot be trusted, remove what is too old, and inspect the data."""
    with heartbeat.noting("operate") as done:
        do_each([quarantine.quarantine_unhealthy, partial(_remove_old, done), _start_long_work])


def _remove_old(done: dict[str, int]) -> None:
    done["removed"] = retention.remove_old_logs()
    retention.remove_expired()


def _start_long_work() -> None:
    if commands.busy:
        return
    if subject := inspection.due():
        commands.start("inspect_data", "--only", subject)
    elif maintenance.compaction_due():
        commands.start("compact", "--keep", str(settings.COMPACT_KEEP))
    elif maintenance.collection_due():
        commands.start("collect_blobs")
