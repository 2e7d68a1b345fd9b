"""Giving back jobs whose worker disappeared."""

from league.control.work import MAX_ROWS, portion
from league.jobs import leases
from league.matches.models import Match
from league.matches.services import give_back
from league.workers import fleet


def sweep() -> int:
    """Give back matches whose worker disappeared, and return how many matches are queued."""
    lapsed = leases.lapsed(Match).only("pk", "lease", "attempt", "worker").order_by("lease_until")
    for match in portion(lapsed[:MAX_ROWS]):
        fleet.failed(match.worker, match.pk)
        give_back(leases.Lease.of(match), "its worker went away")
    return Match.objects.queued().count()
