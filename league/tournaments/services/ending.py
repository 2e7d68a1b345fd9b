"""How a tournament comes to its end. The caller holds its lock."""

from django.utils import timezone

from league.tournaments.models import Tournament
from league.tournaments.services.audit import note
from league.tournaments.services.rounds import write_places


def restart_places(row: Tournament) -> None:
    """Let the places of a frozen board be revealed from the last one again: they have changed."""
    if row.places_shown:
        row.places_shown = 0
        row.save(update_fields=["places_shown"])


def finish(row: Tournament) -> None:
    """Make it final: everything is played and public."""
    write_places(row)
    row.finished_at = timezone.now()
    row.state = Tournament.State.FINAL
    row.save(update_fields=["finished_at", "state"])
    note(row, None, "it is final")
