"""The status page, and checks for monitoring."""

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import conditional_page, require_safe

from league.matches.models import Match
from league.pages import readiness
from league.pages.frame import paused
from league.web.htmx import HtmxRequest, render_live
from league.workers.state import State, state

_CACHE_SECONDS = 5


def cached_state() -> State:
    """Return the state, at most a few seconds old: counting many matches is expensive."""
    cached: State | None = cache.get("state")
    if cached is None:
        cached = state()
        cache.set("state", cached, _CACHE_SECONDS)
    return cached


@require_safe
@conditional_page
def status(request: HtmxRequest) -> HttpResponse:
    """Show the queue, the workers and the versions."""
    context = {
        "section": "status",
        "state": cached_state(),
        "paused": paused(),
        "last": Match.objects.finished().public().first(),
    }
    return render_live(request, "pages/status.html", "pages/_status.html", context)


@require_safe
@never_cache
def alive(_: HttpRequest) -> HttpResponse:
    """Answer as long as this process runs."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def ready(_: HttpRequest) -> HttpResponse:
    """Return the state of what the site depends on, with 503 if it cannot work.

    A silent control process does not count, because the site can still serve everybody.
    """
    parts = readiness.answers()
    needed = (parts["database"], parts["broker"])
    return JsonResponse(parts, status=200 if set(needed) == {readiness.OK} else 503)
