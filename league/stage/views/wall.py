"""The wall: a page for a projector."""

import logging
from typing import Any

from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from bots_sdk.viewer.page import sprite
from league.stage import join, services
from league.stage.live.application import PATH
from league.stage.panels import panels_of
from league.stage.premiere.clock import step_count
from league.stage.premiere.show import Show
from league.stage.premiere.shows import rejecting, show_of
from league.stage.premiere.telling import seat_lines
from league.stage.wall import site_version
from league.stage.walls import NoSuchWall, WallClosed, find_wall
from league.tournaments.models import Tournament
from league.web.guest_pages import same_for_guests

SENTENCES = 4
"""The latest captions of a premiere on a page without JavaScript."""
RETRY_SECONDS = 10
_log = logging.getLogger(__name__)


@require_safe
@same_for_guests
def wall(request: HttpRequest) -> HttpResponse:
    """Show what is on now. With JavaScript it goes on by itself."""
    slug = request.GET.get("event", "")
    try:
        tournament = find_wall(slug, timezone.now())
        return render(request, "stage/wall.html", _context(tournament))
    except NoSuchWall:
        raise Http404 from None
    except WallClosed as closed:
        return render(request, "stage/closed.html", {"tournament": closed.tournament}, status=410)
    except Error:
        _log.exception("a wall cannot be read")
        return _for_now(request)


def _for_now(request: HttpRequest) -> HttpResponse:
    """Say that something is wrong, on a screen that has no hand: it asks again by itself."""
    content = render_to_string("500.html", {"request_id": getattr(request, "request_id", "")})
    seconds = str(RETRY_SECONDS)
    return HttpResponse(content, status=503, headers={"Refresh": seconds, "Retry-After": seconds})


def _context(tournament: Tournament | None) -> dict[str, Any]:
    return {
        "section": "wall",
        "tournament": tournament,
        "version": site_version(),
        "live_url": PATH,
        "sprite": mark_safe(sprite()),  # a file of the project
        "panels": _panels(tournament),
        "address": join.shown_address(tournament),
        "code": join.qr_code(join.join_url(tournament)),
        "premiere": _premiere(tournament),
        "now": timezone.now(),
    }


def _panels(tournament: Tournament | None) -> dict[str, Any]:
    return {
        name: {"html": mark_safe(panel.html), "digest": panel.digest}  # rendered by a template
        for name, panel in panels_of(tournament).items()
    }


def _premiere(tournament: Tournament | None) -> dict[str, Any] | None:
    """Return how far the premiere is, in words."""
    stage = services.stage_of(tournament)
    show = None if stage.match_id is None else show_of(stage.match_id)
    if show is None:
        return None
    position = services.clock_of(stage).position(services.milliseconds(timezone.now()))
    count = step_count(show.starts_ms, position)
    with rejecting(show):
        return {
            "title": show.title,
            "seats": seat_lines(show.record, show.values(count)),
            "captions": _captions(show, count),
            "result": mark_safe(show.values(count)["result"]),  # written by `telling`
        }
    return None


def _captions(show: Show, count: int) -> list[str]:
    """Return the latest captions, the newest first."""
    latest = show.captions[max(0, count - SENTENCES) : count]
    return [mark_safe(caption) for caption in reversed(latest)]  # they escape names and cards
