"""The wall: a page for a projector, and its panels as parts of a page."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from bots_sdk.viewer.page import sprite
from league.stage import join, services
from league.stage.live.application import PATH
from league.stage.panels import NAMES, Panel, panels_of
from league.stage.premiere.clock import step_count
from league.stage.premiere.show import Show, show_of
from league.stage.premiere.telling import seat_lines
from league.stage.wall import site_version
from league.stage.walls import NoSuchWall, WallClosed, find_wall
from league.tournaments.models import Tournament
from league.web.guest_pages import same_for_guests

SENTENCES = 4
"""The latest captions of a premiere on a page without JavaScript."""


@require_safe
@same_for_guests
def wall(request: HttpRequest) -> HttpResponse:
    """Show what is on now. With JavaScript it goes on by itself."""
    slug = request.GET.get("event", "")
    try:
        tournament = find_wall(slug, timezone.now())
    except NoSuchWall:
        raise Http404 from None
    except WallClosed as closed:
        return render(request, "stage/closed.html", {"tournament": closed.tournament}, status=410)
    context = {
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
    return render(request, "stage/wall.html", context)


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
    return {
        "title": show.title,
        "seats": seat_lines(show.record, show.values(count)),
        "captions": _captions(show, count),
        "result": mark_safe(show.values(count)["result"]),  # written by `telling`
    }


def _captions(show: Show, count: int) -> list[str]:
    """Return the latest captions, the newest first."""
    latest = show.captions[max(0, count - SENTENCES) : count]
    return [mark_safe(caption) for caption in reversed(latest)]  # they escape names and cards


@require_safe
@same_for_guests
def panel(request: HttpRequest, name: str) -> HttpResponse:
    """Return the HTML of one panel."""
    try:
        tournament = find_wall(request.GET.get("event", ""), timezone.now())
    except (NoSuchWall, WallClosed):
        raise Http404 from None
    shown: Panel | None = panels_of(tournament).get(name) if name in NAMES else None
    if shown is None:
        raise Http404
    return HttpResponse(shown.html, headers={"X-Digest": shown.digest})
