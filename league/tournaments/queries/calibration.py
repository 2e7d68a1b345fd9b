"""The pace of the latest games: what they cost the current workers, and who else plays."""

from dataclasses import replace

from django.core.cache import cache
from django.db.models import Q, Sum

from league.accounts.models import User
from league.matches.lane_keys import lane_of_user
from league.matches.models import Match
from league.tournaments.planning.pace import Pace, Play, costs, mean_gap
from league.workers import queue, turns
from league.workers.models import Worker

TICK_SECONDS = 1.0
"""How often the control process looks at tournaments."""
_SAMPLE = 50
_GAP_SAMPLE = 200
_PACE_SECONDS = 10


def pace(game: str, seats: int, organiser: User | None = None) -> Pace:
    """Return how quickly the tournament of an organiser would be played if it began now."""
    key = f"pace-{game}-{seats}"
    cached: tuple[Pace, set[str], float] | None = cache.get(key)
    if cached is None:
        measured = _measure(game, seats)
        ladder_load = turns.load(queue.ladder_seconds(), measured.workers)
        cached = measured, queue.waiting_lanes(), ladder_load
        cache.set(key, cached, _PACE_SECONDS)
    measured, lanes, ladder_load = cached
    own = lane_of_user(organiser.pk if organiser else None)
    return replace(measured, share=turns.share(own, lanes, ladder_load))


def _measure(game: str, seats: int) -> Pace:
    """Measure the latest games at tables of this size; before there are any, of all sizes."""
    sizes = (Q(game=game, seat_count=seats), Q(game=game))
    sample = next((plays for size in sizes if (plays := _plays(size, _SAMPLE))), [])
    capacity = Worker.objects.playing().aggregate(Sum("capacity"))["capacity__sum"] or 0
    gap = mean_gap(_plays(Q(), _GAP_SAMPLE))
    return Pace(costs(sample, gap), capacity, tick_seconds=TICK_SECONDS)


def _plays(condition: Q, limit: int) -> list[Play]:
    finished = Match.objects.finished().filter(condition, started_at__isnull=False)
    rows = finished.values_list("worker", "created_at", "started_at", "finished_at")[:limit]
    return [
        Play(worker, created_at, started_at, finished_at)
        for worker, created_at, started_at, finished_at in rows
        if started_at and finished_at
    ]
