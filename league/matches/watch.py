"""Watching the workers: who makes no progress, and on whom bots fail that play well elsewhere."""

import logging
from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Count as CountOf, F, Q
from django.utils import timezone

from league import jobs
from league.matches import fleet, services
from league.matches.models import Match, Worker
from league.matches.suspicion import DOUBT, SURE, Count, suspects
from runners.match import Fault

log = logging.getLogger(__name__)

TIMEOUTS = frozenset({"E302", "E308"})
"""Faults that a sick machine can cause: too slow, and a process that went away."""
WINDOW = timedelta(hours=1)
STALLED = timedelta(minutes=10)
"""Longer than any match with its lease."""
FEWEST_UNFINISHED = 3
FRUITLESS = 5
"""So many matches without a result, besides those it plays now, are too many at any pace."""


def look_after() -> list[str]:
    """Set aside whom the league cannot trust; the names of those."""
    found = _stalled() | suspects(counts(), SURE)
    aside = [name for name, why in found.items() if fleet.set_aside(name, why)]
    for name in aside:
        log.error("worker %s is set aside: %s", name, found[name])
        for match in Match.objects.filter(status=Match.Status.RUNNING, worker=name):
            services.give_back(jobs.Lease.of(match), "its worker was set aside")
    return aside


def counts() -> dict[str, Count]:
    """The matches that each worker finished lately, and those with a timeout or a crash."""
    faulty = CountOf("pk", filter=Q(seats__faults__code__in=TIMEOUTS), distinct=True)
    rows = (
        Match.objects.filter(status=Match.Status.FINISHED, finished_at__gte=timezone.now() - WINDOW)
        .values("worker")
        .annotate(matches=CountOf("pk", distinct=True), faulty=faulty)
        .order_by()
    )
    return {row["worker"]: Count(row["matches"], row["faulty"]) for row in rows}


def doubts(worker: str, faults: Iterable[Fault]) -> bool:
    """Whether these faults may be the machine's, so that another one should play the match.

    Only where the worker is worse than the others already. Asking twice about every timeout would
    give a bot that is losing a second try for the price of a crash.
    """
    if not any(fault.code in TIMEOUTS for fault in faults):
        return False
    if Worker.objects.filter(name=worker, set_aside_at__isnull=False).exists():
        return True
    return worker in suspects(counts(), DOUBT)


def _stalled() -> dict[str, str]:
    """Workers that take matches and finish none."""
    before = timezone.now() - STALLED
    taking = Worker.objects.filter(
        set_aside_at=None, seen_at__gte=before, unfinished__gte=FEWEST_UNFINISHED
    )
    long = Q(unfinished__gte=F("capacity"), taking_since__lt=before)
    many = Q(unfinished__gte=F("capacity") + FRUITLESS)
    return {
        worker.name: f"it took {worker.unfinished} matches and finished none of them"
        for worker in taking.filter(long | many)
    }
