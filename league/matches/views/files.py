"""A match for other pages and programs: its record, and the viewer in a frame of another site."""

from typing import cast

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import mark_safe
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe
from pydantic import ValidationError

from bots_sdk.viewer.page import sprite
from engine.game import SEAT_LETTERS
from league.accounts.auth import ApiRequest
from league.api.problems import problem
from league.errors import Refused
from league.matches.models import Match
from league.matches.records import copies
from league.matches.views import replay
from league.matches.views.match import step_asked
from league.pages.frame import THEMES
from league.web.filters import Filters
from runners.faults import message


@require_safe
def as_json(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The record: the same document as the API serves; seats are named by their letters."""
    view = request.GET.get("view", replay.EVERYTHING)
    if len(view) == 1 and view in SEAT_LETTERS:
        view = str(SEAT_LETTERS.index(view))
    try:
        wanted = copies.RecordQuery.model_validate({"view": view})
        match = get_object_or_404(Match.objects.public(), pk=pk)
        # A copy without an owner's notes asks nothing of the request that not all of them have.
        return copies.answer(cast(ApiRequest, request), match, wanted)
    except ValidationError:
        told = message("L009", reason="`view` is none of everything, public and the seats")
        return problem(request, 422, told)
    except Http404:
        return problem(request, 404, message("L010", reason="There is no record of such a match"))
    except Refused as no:
        return problem(request, no.status, no.message)


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # knows no parameters
def embed(request: HttpRequest, pk: int) -> HttpResponse:
    """The viewer alone. Reads no cookie and sets none: a frame of another site has no visitor."""
    found = (
        Match.objects.public()
        .filter(pk=pk, status=Match.Status.FINISHED)
        .exclude(record=None)
        .first()
    )
    theme = request.GET.get("theme", "")
    shown = {"theme": theme if theme in THEMES else "", "pk": pk}
    if found is None:
        return render(request, "matches/match_embed.html", shown, status=404)
    view = Filters(request.GET, request.GET).choice("view", replay.views(found), replay.EVERYTHING)
    shown |= {
        "match": found,
        "bare": request.GET.get("controls") == "0",
        "sprite": mark_safe(sprite()),  # our own file
        "viewer": replay.viewer(found, view, step_asked(request), embed=True),
    }
    return render(request, "matches/match_embed.html", shown)
