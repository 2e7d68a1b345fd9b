"""Finding unhealthy workers: those without progress, and those on which good bots fail."""

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Count as CountOf, F, Q
from django.utils import timezone

from league.jobs import leases
from league.matches import services
from league.matches.models import Fault as StoredFault, Match, Seat
from league.workers import fleet
from league.workers.models import FailedAttempt, Worker
from league.workers.trust.suspicion import DOUBT, SURE, Count, independent, suspects
from runners.match import Fault

log = logging.getLogger(__name__)

TIMEOUTS = frozenset({"E302", "E308"})
"""Faults that an unhealthy machine can cause: a slow bot, or a process that disappeared."""
WINDOW = timedelta(hours=1)
STALLED = timedelta(minutes=10)
"""Longer than any match with its lease."""
MIN_UNFINISHED = 3
FRUITLESS = 5
"""So many matches without a result, besides the running ones, are too many at any pace."""
MIN_INDEPENDENT = 3
"""So many failures must remain, whichever owner's matches are left out."""


def quarantine_unhealthy() -> list[str]:
    """Quarantine the workers that the league cannot trust, and return their names."""
    FailedAttempt.objects.filter(failed_at__lt=timezone.now() - WINDOW).delete()
    reasons = _stalled() | suspects(counts(), SURE)
    names = [name for name, why in reasons.items() if fleet.quarantine(name, why)]
    for name in names:
        log.error("worker %s is quarantined: %s", name, reasons[name])
        for match in Match.objects.filter(status=Match.Status.RUNNING, worker=name):
            services.give_back(leases.Lease.of(match), "its worker was quarantined")
    return names


def counts() -> dict[str, Count]:
    """Return how many matches each worker finished lately, and how many had a timeout or crash."""
    finished = Match.objects.filter(_lately(), status=Match.Status.FINISHED)
    matches = finished.values("worker").annotate(matches=CountOf("pk")).order_by()
    culprits = _culprits()
    return {
        row["worker"]: _count(row["matches"], culprits.get(row["worker"], {})) for row in matches
    }


def _lately(prefix: str = "") -> Q:
    """Return what counts as evidence: the last hour, but nothing from before a worker's release."""
    since = timezone.now() - WINDOW
    recent = Q(**{f"{prefix}finished_at__gte": since})
    for name, released_at in Worker.objects.filter(released_at__gte=since).values_list(
        "name", "released_at"
    ):
        recent &= ~Q(**{f"{prefix}worker": name, f"{prefix}finished_at__lt": released_at})
    return recent


def _culprits() -> dict[str, dict[int, set[int | None]]]:
    """Return, by worker and match, the owners of the bots that were too slow or crashed in it."""
    culprits: dict[str, dict[int, set[int | None]]] = defaultdict(lambda: defaultdict(set))
    rows = StoredFault.objects.filter(
        _lately("seat__match__"), code__in=TIMEOUTS, seat__match__status=Match.Status.FINISHED
    ).values_list("seat__match__worker", "seat__match", "seat__bot__owner")
    for worker, match, owner in rows.distinct():
        culprits[worker][match].add(owner)
    return culprits


def _count(matches: int, faulty: dict[int, set[int | None]]) -> Count:
    """Count what one owner alone may have caused. Nobody owns a house bot, so nobody intends its
    faults.
    """
    alone = [owners for owners in faulty.values() if len(owners) == 1]
    by_owner = Counter(owner for owners in alone for owner in owners if owner is not None)
    return Count(matches, len(faulty), dict(by_owner))


def doubts(worker: str, faults: Iterable[Fault]) -> bool:
    """Return whether the machine may have caused these faults, so that another should play.

    That is the case only where the worker is worse than the others already. A second try after
    every timeout would let a losing bot buy one by crashing.
    """
    if not any(fault.code in TIMEOUTS for fault in faults):
        return False
    if Worker.objects.filter(name=worker, quarantined_at__isnull=False).exists():
        return True
    return worker in suspects(counts(), DOUBT)


def _stalled() -> dict[str, str]:
    """Return the workers that take matches and finish none, whoever plays in them, with reasons."""
    before = timezone.now() - STALLED
    taking = Worker.objects.filter(
        quarantined_at=None, seen_at__gte=before, unfinished__gte=MIN_UNFINISHED
    )
    long = Q(unfinished__gte=F("capacity"), taking_since__lt=before)
    many = Q(unfinished__gte=F("capacity") + FRUITLESS)
    return {
        worker.name: f"it took {worker.unfinished} matches and finished none of them"
        for worker in taking.filter(long | many)
        if independent(_owners_of_failures(worker)) >= MIN_INDEPENDENT
    }


def _owners_of_failures(worker: Worker) -> list[frozenset[int]]:
    """Return who had a bot in each match that failed since the worker last finished one."""
    failed = FailedAttempt.objects.filter(worker=worker.name)
    if worker.taking_since:
        failed = failed.filter(failed_at__gte=worker.taking_since)
    owners: dict[int, set[int]] = {pk: set() for pk in failed.values_list("match", flat=True)}
    seats = Seat.objects.filter(match__in=list(owners), bot__owner__isnull=False)
    for match, owner in seats.values_list("match", "bot__owner"):
        owners[match].add(owner)
    return [frozenset(owners_of_match) for owners_of_match in owners.values()]
