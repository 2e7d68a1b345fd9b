"""The page of a match: waiting, running, void, or finished with its replay and receipts."""

from typing import Any

from django.conf import settings
from django.db.models import Avg
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import patch_vary_headers
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from bots_sdk.viewer.page import sprite
from engine.record.redact import HIDDEN_DETAIL
from league.ladder.models import RatingChange
from league.matches import services
from league.matches.models import Fault, Match, Record, Seat
from league.matches.records.codec import Record as RecordData
from league.matches.views import replay, seat_logs
from league.matches.views.rating_receipts import receipts
from league.web.filters import Filters
from league.workers.fleet import capacity
from runners.faults import message

TEXT = "text"
LATELY = 20
"""How long a match takes is told by so many of the latest."""


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Whatever there is to say of a match at the moment."""
    found = get_object_or_404(
        Match.objects.select_related("tournament_game__round__tournament"), pk=pk
    )
    seats = list(found.seats.select_related("bot__owner", "version", "log").defer("version__steps"))
    shown = {
        "match": found,
        "seats": seats,
        "planned": getattr(found, "tournament_game", None),
        "section": "matches",
    }
    if found.hidden or found.status != Match.Status.FINISHED:
        return _unfinished(request, found, shown)
    return _finished(request, found, seats, shown)


def _unfinished(request: HttpRequest, found: Match, shown: dict[str, Any]) -> HttpResponse:
    """The state; it asks again by itself and becomes the whole page when the match is over."""
    if found.status == Match.Status.QUEUED:
        place = services.place_in_queue(found) or 1
        shown |= {"place": place, "seconds": round(place * _seconds() / capacity()) or 1}
    template = "matches/_match_state.html" if request.htmx else "matches/match_state.html"  # type: ignore[attr-defined]
    response = render(request, template, shown)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _seconds() -> float:
    """How long a match usually takes."""
    latest = Match.objects.finished()[:LATELY].values("duration_ms")
    mean = latest.aggregate(mean=Avg("duration_ms"))["mean"]
    return (mean or 1000) / 1000


def _finished(
    request: HttpRequest, found: Match, seats: list[Seat], shown: dict[str, Any]
) -> HttpResponse:
    if request.htmx:  # type: ignore[attr-defined]
        response = HttpResponse()
        response["HX-Refresh"] = "true"
        return response
    own = [seat for seat in seats if seat.bot.owner_id == request.user.pk and request.user.pk]
    lines = list(RatingChange.objects.filter(match=found))
    settled = receipts(seats, lines)
    changes = {one.seat.number: one.change for one in settled}
    faults = list(Fault.objects.filter(seat__match=found).select_related("seat").order_by("pk"))
    order = sorted(seats, key=lambda seat: (seat.place or 9, seat.number))
    shown |= {
        "result": [(seat, changes.get(seat.number)) for seat in order],
        "receipts": sorted(settled, key=lambda one: (one.seat.place or 9, one.seat.number)),
        "own_logs": seat_logs.own_logs(own),
        "logs_expired": seat_logs.expired(found),
        "site_url": settings.SITE_URL,
        "log_days": settings.LOG_DAYS,
        "think_ms": sum(seat.think_ms for seat in seats),
    }
    wanted = Filters(request.GET, request.GET)
    view = wanted.choice("view", (*replay.views(found), TEXT), replay.EVERYTHING)
    if not Record.objects.filter(match=found).exists():
        shown["faults"] = [_fault(fault, None) for fault in faults]
        return render(request, "matches/match.html", shown)
    if view == TEXT:
        record = replay.kept_record(found)
        shown |= {
            "story": replay.story(record),
            "faults": [_fault(fault, record) for fault in faults],
        }
        return render(request, "matches/match_text.html", shown)
    step = step_asked(request)
    if step is not None or faults:
        seen = replay.record_for(replay.kept_record(found), view)
        shown["faults"] = [_fault(fault, seen) for fault in faults]
        shown |= _around(seen, step)
    shown["viewer"] = replay.viewer(found, view, step, own)
    shown["sprite"] = mark_safe(sprite())  # our own file
    return render(request, "matches/match.html", shown)


def step_asked(request: HttpRequest) -> int | None:
    """The step the address names; there need not be one."""
    text = request.GET.get("step", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else None


def _around(record: RecordData, step: int | None) -> dict[str, Any]:
    """For those without JavaScript: the step that is asked for, and its neighbours."""
    last = len(record["steps"]) - 1
    if step is None or step > last:
        return {}
    return {
        "last": last,
        "at": replay.sentence(record, step),
        "before": step - 1 if step else None,
        "after": step + 1 if step < last else None,
    }


def _fault(fault: Fault, record: RecordData | None) -> dict[str, Any]:
    """A fault with what it is called, what happened and what came of it."""
    return {
        "fault": fault,
        "title": message(fault.code).title,
        "detail": _detail(fault, record),
        "consequence": _consequence(fault, record),
    }


def _detail(fault: Fault, record: RecordData | None) -> str:
    """What happened, as far as the view may know: a sentence can name a hidden card."""
    if record is None or "redacted" not in record:
        return fault.detail
    place = (fault.step, fault.seat.number)
    told = (one["detail"] for one in record["faults"] if (one["step"], one["seat"]) == place)
    return next(told, HIDDEN_DETAIL)


def _consequence(fault: Fault, record: RecordData | None) -> str:
    played = ""
    if record is not None and fault.step is not None and fault.step < len(record["steps"]):
        step = record["steps"][fault.step]
        move = step["moves"][fault.seat.number] if "moves" in step else step.get("move")
        played = f"The league played “{move}” for {fault.seat.letter}. " if move else ""
    if fault.seat.forfeited:
        return f"{played}It forfeited; fallback moves finished the match."
    return played or "It played on."
