"""How the league is doing, for people and for the machines that watch it."""

import os

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.utils import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import conditional_page, require_safe
from kombu.exceptions import OperationalError

from league.matches.models import Match
from league.matches.state import State, state
from league.pages.frame import paused

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
def status(request: HttpRequest) -> HttpResponse:
    """The queue, the workers, the versions. Reads only."""
    context = {
        "section": "status",
        "state": known_state(),
        "paused": paused(),
        "last": Match.objects.finished().first(),
    }
    template = "pages/_status.html" if request.htmx else "pages/status.html"  # type: ignore[attr-defined]
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
@never_cache
def alive(_: HttpRequest) -> HttpResponse:
    """This process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def ready(_: HttpRequest) -> HttpResponse:
    """Whether what the site needs can be reached."""
    found = {"database": _database_answers(), "broker": _broker_answers()}
    return JsonResponse(
        {name: "ok" if fine else "not reachable" for name, fine in found.items()},
        status=200 if all(found.values()) else 503,
    )


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _broker_answers() -> bool:
    if not settings.REDIS_URL:
        return os.access(settings.VAR / "broker" / "messages", os.W_OK)
    try:
        with current_app.connection_for_write(connect_timeout=1) as broker:
            broker.ensure_connection(max_retries=1, timeout=1)
    except (OperationalError, OSError):
        return False
    return True
