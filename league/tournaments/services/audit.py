"""The audit log of a tournament, and the lock under which everything in it happens."""

from league.accounts.models import User
from league.errors import Refused
from league.tournaments.models import Action, Tournament


def note(tournament: Tournament, user: User | None, what: str) -> None:
    """Write a line into the audit log."""
    Action.objects.create(tournament=tournament, user=user, what=what[:300])


def lock_row(tournament: Tournament, *states: str) -> Tournament:
    """Return its row as it is now, locked; refuse unless it is in one of these states."""
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if row.state not in states:
        raise Refused("L011", reason=f"{row} is {row.state}")
    return row
