"""The smoke match of an upload, for its owner and staff: in the viewer, with the bot's log."""

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bots_sdk.viewer.page import Replay, replay_html, sprite
from engine.game import SEAT_LETTERS
from engine.record.insight import insight
from engine.record.redact import redact
from engine.registry import GAMES
from league.bots.models import SmokeMatch
from league.bots.smoke_matches import SEAT
from league.matches.records import codec
from league.matches.records.codec import Record
from league.matches.views import seat_logs
from league.matches.views.match import requested_step
from league.web.filters import Filters
from runners.faults import message

EVERYTHING = "everything"
VIEWS = (EVERYTHING, SEAT_LETTERS[SEAT])
"""Through whose eyes it can be watched: the opponents have no owner who would like to know."""


@require_safe
@login_required
@never_cache
def match(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    """The whole match, or only its result if it is no longer kept."""
    found = _find(request, pk, game)
    shown: dict[str, Any] = {
        "smoke": found,
        "version": found.version,
        "bot": found.version.bot,
        "log_days": settings.LOG_DAYS,
        "section": "bots",
    }
    if found.kept:
        record = codec.unpack(found.record)
        view = Filters(request.GET, request.GET).choice("view", VIEWS, EVERYTHING)
        shown |= {
            "result": _result(record),
            "faults": [{**fault, "title": message(fault["code"]).title} for fault in _own(record)],
            "entries": _entries(found, record),
            "viewer": _viewer(found, record, view, requested_step(request)),
            "sprite": mark_safe(sprite()),  # our own file
        }
    return render(request, "bots/smoke.html", shown)


@require_safe
@login_required
@never_cache
def as_json(request: HttpRequest, pk: int, game: str) -> JsonResponse:
    """Its record, as the viewer asks for it."""
    found = _find(request, pk, game)
    if not found.kept:
        raise Http404
    view = Filters(request.GET, request.GET).choice("view", VIEWS, EVERYTHING)
    return JsonResponse(_seen(codec.unpack(found.record), view))


def _find(request: HttpRequest, pk: int, game: str) -> SmokeMatch:
    """The match, for whom it is there at all."""
    matches = SmokeMatch.objects.select_related("version__bot")
    if not request.user.is_staff:
        matches = matches.filter(version__bot__owner=request.user.pk)
    return get_object_or_404(matches, version__pk=pk, game=game)


def _seen(record: Record, view: str) -> Record:
    return record if view == EVERYTHING else redact(record, SEAT)


def _result(record: Record) -> list[dict[str, Any]]:
    """Who came where, the best first."""
    outcome, names = record["outcome"], [seat["name"] for seat in record["seats"]]
    rows = zip(outcome["placements"], names, outcome["scores"], strict=True)
    return [dict(zip(("place", "name", "score"), row, strict=True)) for row in sorted(rows)]


def _own(record: Record) -> list[dict[str, Any]]:
    return [fault for fault in record["faults"] if fault["seat"] == SEAT]


def _entries(found: SmokeMatch, record: Record) -> list[seat_logs.Entry]:
    _, notes = codec.split_notes(record, [False] * found.seat_count)
    return seat_logs.entries(found.printed, found.marks, notes[SEAT])


def _viewer(found: SmokeMatch, record: Record, view: str, step: int | None) -> SafeString:
    page = found.get_absolute_url()
    replay = Replay(
        record=_seen(record, view),
        told=insight(record, None if view == EVERYTHING else SEAT),
        title=f"{GAMES[found.game].name}, {found.seat_count} seats",
        record_url=f"{page}record.json",
        page_url=page,
        view=view,
        views=VIEWS,
        step=step,
        owner_log_url="#bot-log",
    )
    return mark_safe(replay_html(replay))  # the viewer escapes what strangers wrote
