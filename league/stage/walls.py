"""Which wall an address names: the league's own, or that of an event that may be seen."""

import re
from datetime import datetime, timedelta

from league.tournaments.models import Tournament

_SLUG = re.compile(r"[-a-zA-Z0-9_]{1,80}\Z")
AFTER_END = timedelta(hours=24)
"""A hall looks at the final standings of its event for a while."""


class NoSuchWall(Exception):
    """There is no event of this name, or it is not published."""


class WallClosed(Exception):
    """The event is over."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__(str(tournament))
        self.tournament = tournament


def find_wall(slug: str, now: datetime) -> Tournament | None:
    """Return the tournament of a wall; None without a name, which is the league's own."""
    if not slug:
        return None
    tournaments = Tournament.objects.public().select_related("organiser")
    tournament = tournaments.filter(slug=slug).first() if _SLUG.match(slug) else None
    if tournament is None:
        raise NoSuchWall(slug)
    if tournament.state == Tournament.State.CANCELLED or _ended_long_ago(tournament, now):
        raise WallClosed(tournament)
    return tournament


def _ended_long_ago(tournament: Tournament, now: datetime) -> bool:
    return bool(
        tournament.over and tournament.finished_at and tournament.finished_at < now - AFTER_END
    )
