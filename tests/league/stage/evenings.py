"""Walls in the database, for tests of what they show."""

from django.utils import timezone

from league.matches.models import Match
from league.stage import programme, services
from league.stage.panels import panels_of
from league.stage.premiere.shows import show_of
from tests.league.factories import make_match, make_player
from tests.league.tournaments.sealing.events import make_event, play_all


def wall_of_league(matches=3):
    """The league's own wall, in a league with some finished matches."""
    players = [make_player() for _ in range(3)]
    for _ in range(matches):
        make_match(players)
    return services.stage_of(None)


def evening(**facts):
    """The wall of an event of which everything was played and is sealed."""
    event = play_all(make_event(**facts))
    return services.stage_of(event), event


def sealed_match(event):
    """A match of the first round."""
    games = Match.objects.select_related("tournament_game__round")
    return games.filter(tournament_game__round__tournament=event).order_by("pk")[0]


def pane(stage, now=None):
    """What is on this wall."""
    stage.refresh_from_db()
    show = None if stage.match_id is None else show_of(stage.match_id)
    panels = list(panels_of(stage.tournament))
    return programme.pane_at(stage, show, panels, now or timezone.now())
