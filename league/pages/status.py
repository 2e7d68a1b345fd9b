"""How the league is doing, for people and for the machines that watch it."""

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import conditional_page, require_safe

from league.matches.models import Match
from league.pages import readiness
from league.pages.frame import paused
from league.web.htmx import HtmxRequest, render_live
from league.workers.state import State, state

_REMEMBERED_SECONDS = 5


def known_state() -> State:
    """The state some seconds ago at most: counting many matches is not free."""
    known: State | None = cache.get("state")
    if known is None:
        known = state()
        cache.set("state", known, _REMEMBERED_SECONDS)
    return known


@require_safe
@conditional_page
def status(request: HtmxRequest) -> HttpResponse:
    """The queue, the workers, the versions. Reads only."""
    context = {
        "section": "status",
        "state": known_state(),
        "paused": paused(),
        "last": Match.objects.finished().first(),
    }
    return render_live(request, "pages/status.html", "pages/_status.html", context)


@require_safe
@never_cache
def alive(_: HttpRequest) -> HttpResponse:
    """This process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def ready(_: HttpRequest) -> HttpResponse:
    """Whether what the site needs can be reached, and whether the control process works.

    A site whose control process is silent still serves everybody, so that is said and no more.
    """
    parts = readiness.answers()
    needed = (parts["database"], parts["broker"])
    return JsonResponse(parts, status=200 if set(needed) == {readiness.OK} else 503)
