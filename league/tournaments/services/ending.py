"""How a tournament becomes final. The caller holds its lock."""

from django.utils import timezone

from league.tournaments.models import Tournament
from league.tournaments.services.audit import note
from league.tournaments.services.rounds import write_places


def finish(row: Tournament) -> None:
    """Make it final: everything is played and public."""
    write_places(row)
    row.finished_at = timezone.now()
    row.state = Tournament.State.FINAL
    row.save(update_fields=["finished_at", "state"])
    note(row, None, "it is final")
