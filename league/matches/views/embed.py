"""The viewer of a match in a frame of another site."""

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from bots_sdk.viewer.page import sprite
from league.matches.models import Match
from league.matches.views import replay
from league.matches.views.match import requested_step
from league.pages.frame import THEMES
from league.web.filters import Filters, asks_for_result


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # knows no parameters
def embed(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the viewer alone. It reads and sets no cookie: in a frame nobody is signed in."""
    match = (
        Match.objects.public()
        .select_related("chances")
        .filter(pk=pk, status=Match.Status.FINISHED)
        .exclude(record=None)
        .prefetch_related("seats__bot")
        .first()
    )
    theme = request.GET.get("theme", "")
    context = {"theme": theme if theme in THEMES else "", "pk": pk}
    if match is None:
        return render(request, "matches/match_embed.html", context, status=404)
    view = Filters(request.GET, request.GET).choice("view", replay.views(match), replay.EVERYTHING)
    context |= {
        "match": match,
        "bare": request.GET.get("controls") == "0",
        "sprite": mark_safe(sprite()),  # a file of the project
        "viewer": replay.viewer(
            match, view, requested_step(request), embed=True, result=asks_for_result(request.GET)
        ),
    }
    return render(request, "matches/match_embed.html", context)
