"""What all pages of a tournament share."""

from typing import Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from league.tournaments import presentation
from league.tournaments.models import Tournament
from league.tournaments.queries.standing import Standing
from league.tournaments.sealing import presentation as sealing
from league.tournaments.services import permissions


def find_tournament(request: HttpRequest, slug: str) -> Tournament:
    """Return a tournament that the visitor may see: drafts are for those who run them."""
    tournaments = Tournament.objects.select_related("organiser", "recurring")
    tournament = get_object_or_404(tournaments, slug=slug)
    if tournament.published_at is None and not permissions.may_referee(tournament, request.user):
        raise Http404
    return tournament


def page_context(
    request: HttpRequest, tournament: Tournament, standing: Standing, tab: str
) -> dict[str, Any]:
    """Return the context of the head and the tabs."""
    return {
        "section": "tournaments",
        "tab": tab,
        "tournament": tournament,
        "standing": standing,
        "seal": sealing.notice(tournament),
        "manages": permissions.may_referee(tournament, request.user),
        "score_head": presentation.score_head(tournament.game),
        "points_head": presentation.points_head(standing.config),
    }
