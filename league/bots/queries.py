"""Reading bots and versions."""

from statistics import fmean

from league.bots import checks
from league.bots.models import BotVersion
from runners.faults import Message, message

_LATELY = 8
_FIRST_GUESS_SECONDS = 8.0


def waiting_message(version: BotVersion) -> Message:
    """W001 with the place in the queue and how long that takes."""
    place = checks.place_in_queue(version) or 1
    return message("W001", place=place, seconds=round(place * check_seconds()))


def check_seconds() -> float:
    """How long checks took lately that went to their end."""
    whole = BotVersion.objects.filter(status=BotVersion.Status.ACCEPTED, bot__owner__isnull=False)
    latest = whole.order_by("-pk").values_list("steps", flat=True)[:_LATELY]
    took = [sum(step["ms"] for step in steps) / 1000 for steps in latest]
    return max(1.0, fmean(took)) if took else _FIRST_GUESS_SECONDS


def wait_of(version: BotVersion) -> Message | None:
    """What to tell somebody whose upload nobody checks yet, or whose check is stuck on our side."""
    if version.status == BotVersion.Status.WAITING:
        return waiting_message(version)
    if version.status == BotVersion.Status.STUCK:
        return message("S002", id=f"upload {version.pk}")
    return None
