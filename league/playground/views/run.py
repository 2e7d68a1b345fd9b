"""A run at its own address, for whoever knows it: as long as it is kept."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bots_sdk.viewer.replay import EVERYTHING, record_for
from league.matches.records import codec
from league.playground.forms import RunForm, usual_setup
from league.playground.models import PlaygroundRun
from league.playground.views import page
from league.playground.views.outcome import VIEWS
from league.web.filters import Filters
from league.web.htmx import HtmxRequest


@require_safe
@never_cache
def run(request: HtmxRequest, key: UUID) -> HttpResponse:
    """Show the playground with this run; for htmx only what came of it."""
    row = get_object_or_404(PlaygroundRun, key=key)
    opponents = {f"opponent_{number}": name for number, name in enumerate(row.opponents, 1)}
    empty = dict.fromkeys(usual_setup(row.game), "")
    initial = {**empty, "code": row.code, "game": row.game, **opponents}
    response = page.show(request, RunForm(initial=initial), run=row)
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
@never_cache
def as_json(request: HttpRequest, key: UUID) -> JsonResponse:
    """Return its record, as the viewer asks for it."""
    row = get_object_or_404(PlaygroundRun, key=key)
    if not row.record:
        raise Http404
    view = Filters(request.GET, request.GET).choice("view", VIEWS, EVERYTHING)
    return JsonResponse(record_for(codec.unpack(row.record), view))
