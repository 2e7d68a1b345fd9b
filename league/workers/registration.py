"""A worker registers before it plays, and gives back the jobs of its previous run."""

from django.conf import settings
from django.db.models.functions import Now

from league.bots import checks
from league.bots.models import BotVersion
from league.jobs import leases
from league.matches import services
from league.matches.models import Match
from league.playground import services as playground
from league.playground.models import PlaygroundRun
from league.workers import fleet, worker
from league.workers.models import Worker


def announce(processes: int, code: str) -> None:
    """Register this worker, and give back the jobs that a worker of its name had when it ended.

    On a server a worker that was drained or quarantined stays so when it is restarted: an operator
    decided, or its self-test has to. On a single machine a restart is a fresh start.
    """
    Worker.objects.update_or_create(
        name=worker.name(),
        defaults={
            "capacity": processes,
            "version": code,
            "seen_at": Now(),
            "sandbox_ok": False,
            "sandbox_said": "not tried yet",
            "unfinished": 0,
            "taking_since": None,
        },
    )
    if settings.EMBEDDED:
        fleet.undrain(worker.name())
    for match in leases.left_by(Match, worker.name()):
        services.give_back(leases.Lease.of(match), "its worker was ended")
    for version in leases.left_by(BotVersion, worker.name()):
        checks.give_back(leases.Lease.of(version))
    for run in leases.left_by(PlaygroundRun, worker.name()):
        playground.give_back(leases.Lease.of(run))
