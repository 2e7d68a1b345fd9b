"""The API of chances."""

from typing import Any

from django.shortcuts import get_object_or_404
from ninja import Router

from league.accounts.auth import ApiRequest, anyone
from league.chances.queries import chances_of
from league.chances.schemas import ChancesOut, show_chances
from league.errors import Refused
from league.matches.models import Match
from league.matches.schemas import MatchId

router = Router(tags=["Matches"], auth=anyone)


@router.get("/matches/{int:match_id}/chances", response=ChancesOut)
def read_chances(request: ApiRequest, match_id: MatchId) -> dict[str, Any]:  # noqa: ARG001  ninja
    """Read the estimated chances in a finished match: for some positions, how likely each seat was
    to win.

    Workers compute them when nothing else is to be done; until then there are none.
    """
    public = Match.objects.public().select_related("chances")
    match = get_object_or_404(public, pk=match_id, status=Match.Status.FINISHED)
    chances = chances_of(match)
    if not chances.rows:
        raise Refused("L010", status=404, reason="The chances in this match are not estimated")
    return show_chances(chances)
