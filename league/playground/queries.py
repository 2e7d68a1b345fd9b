"""Reading runs: how long one has to wait."""

from math import ceil

from django.db.models import Avg

from league.jobs import leases
from league.playground.models import PlaygroundRun
from runners.faults import Message, message

_SAMPLE = 20
_DEFAULT_SECONDS = 1.0


def place_in_queue(run: PlaygroundRun) -> int:
    """Return how many runs of its lane come before it or at the same time, itself included."""
    unfinished = PlaygroundRun.objects.unfinished().filter(lane=run.lane)
    return max(1, unfinished.filter(created_at__lte=run.created_at).count())


def seconds_to_play(runs: int, places: int = 1) -> int:
    """Return how long so many runs take, at so many places, by the latest ones."""
    finished = PlaygroundRun.objects.filter(status=PlaygroundRun.Status.FINISHED)
    latest = finished.order_by("-finished_at").values("duration_ms")[:_SAMPLE]
    mean_ms = latest.aggregate(mean=Avg("duration_ms"))["mean"]
    mean_seconds = _DEFAULT_SECONDS if mean_ms is None else mean_ms / 1000
    return max(1, ceil(runs * mean_seconds / places))


def seconds_of_queue(lane: str) -> int:
    """Return how long all runs of a lane take that are not finished yet."""
    return seconds_to_play(PlaygroundRun.objects.unfinished().filter(lane=lane).count())


def wait_of(run: PlaygroundRun, places: int) -> Message | None:
    """Return what to tell somebody whose run waits; None if it does not.

    `places` is how many runs of its lane can be played at once.
    """
    if run.unfinished and run.attempt > (run.status == PlaygroundRun.Status.RUNNING):
        return message("S001", attempt=_next_attempt(run), attempts=leases.MAX_ATTEMPTS)
    if run.status != PlaygroundRun.Status.WAITING:
        return None
    place = place_in_queue(run)
    return message("W001", place=place, seconds=seconds_to_play(place, places))


def _next_attempt(run: PlaygroundRun) -> int:
    return run.attempt + (run.status == PlaygroundRun.Status.WAITING)
