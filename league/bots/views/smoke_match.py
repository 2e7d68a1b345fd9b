"""The smoke match of an upload, for its owner and staff: in the viewer, with the bot's log."""

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bots_sdk.viewer.page import replay_html, sprite
from bots_sdk.viewer.replay import EVERYTHING, record_for, replay_of
from engine.game import seat_letter
from league.bots.models import SmokeMatch
from league.bots.smoke_matches import SEAT
from league.matches.records import codec
from league.matches.records.codec import Record
from league.matches.views import seat_logs
from league.matches.views.match import requested_step
from league.web.filters import Filters
from runners.faults import message

VIEWS = (EVERYTHING, seat_letter(SEAT))
"""Through whose eyes it can be watched: the opponents have no owner who would like to know."""


@require_safe
@login_required
@never_cache
def match(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    """Show the whole match, or only its result if it is no longer kept."""
    smoke = _find(request, pk, game)
    context: dict[str, Any] = {
        "smoke": smoke,
        "version": smoke.version,
        "bot": smoke.version.bot,
        "log_days": settings.LOG_DAYS,
        "limits": settings.LIMITS,
        "section": "bots",
    }
    if smoke.kept:
        record = codec.unpack(smoke.record)
        view = Filters(request.GET, request.GET).choice("view", VIEWS, EVERYTHING)
        context |= {
            "result": _result(record),
            "faults": [{**fault, "title": message(fault["code"]).title} for fault in _own(record)],
            "entries": _entries(smoke, record),
            "viewer": _viewer(smoke, record, view, requested_step(request)),
            "sprite": mark_safe(sprite()),  # our own file
        }
    return render(request, "bots/smoke.html", context)


@require_safe
@login_required
@never_cache
def as_json(request: HttpRequest, pk: int, game: str) -> JsonResponse:
    """Return its record, as the viewer asks for it."""
    smoke = _find(request, pk, game)
    if not smoke.kept:
        raise Http404
    view = Filters(request.GET, request.GET).choice("view", VIEWS, EVERYTHING)
    return JsonResponse(record_for(codec.unpack(smoke.record), view))


def _find(request: HttpRequest, pk: int, game: str) -> SmokeMatch:
    """Return the match, for those who may see it."""
    matches = SmokeMatch.objects.select_related("version__bot")
    if not request.user.is_staff:
        matches = matches.filter(version__bot__owner=request.user.pk)
    return get_object_or_404(matches, version__pk=pk, game=game)


def _result(record: Record) -> list[dict[str, Any]]:
    """Return who came where, the best first."""
    outcome, names = record["outcome"], [seat["name"] for seat in record["seats"]]
    rows = zip(outcome["placements"], names, outcome["scores"], strict=True)
    return [dict(zip(("place", "name", "score"), row, strict=True)) for row in sorted(rows)]


def _own(record: Record) -> list[dict[str, Any]]:
    return [fault for fault in record["faults"] if fault["seat"] == SEAT]


def _entries(smoke: SmokeMatch, record: Record) -> list[seat_logs.Entry]:
    _, notes = codec.split_notes(record, [False] * smoke.seat_count)
    return seat_logs.entries(smoke.printed, smoke.marks, notes[SEAT])


def _viewer(smoke: SmokeMatch, record: Record, view: str, step: int | None) -> SafeString:
    page = smoke.get_absolute_url()
    replay = replay_of(
        record,
        view=view,
        views=VIEWS,
        record_url=f"{page}record.json",
        page_url=page,
        step=step,
        owner_log_url="#bot-log",
    )
    return mark_safe(replay_html(replay))  # the viewer escapes names, notes and details of faults
