"""Reading bots and versions."""

from statistics import fmean

from league.bots import checks
from league.bots.models import BotVersion
from runners.faults import Message, message

_SAMPLE = 8
_DEFAULT_SECONDS = 8.0


def waiting_message(version: BotVersion) -> Message:
    """Return W001 with the place in the queue and how long that takes."""
    place = checks.place_in_queue(version) or 1
    return message("W001", place=place, seconds=round(place * check_seconds()))


def check_seconds() -> float:
    """Return how long the latest complete checks took."""
    whole = BotVersion.objects.filter(status=BotVersion.Status.ACCEPTED, bot__owner__isnull=False)
    latest = whole.order_by("-pk").values_list("steps", flat=True)[:_SAMPLE]
    seconds = [sum(step["ms"] for step in steps) / 1000 for steps in latest]
    return max(1.0, fmean(seconds)) if seconds else _DEFAULT_SECONDS


def wait_of(version: BotVersion) -> Message | None:
    """Return what to tell the owner of an upload that waits or is stuck; None otherwise."""
    if version.status == BotVersion.Status.WAITING:
        return waiting_message(version)
    if version.status == BotVersion.Status.STUCK:
        return message("S002", id=f"upload {version.pk}")
    return None
