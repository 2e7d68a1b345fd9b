"""The page of a match: waiting, running, void, or finished with its replay and receipts."""

from math import inf
from typing import Any

from django.conf import settings
from django.db.models import Avg
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import patch_vary_headers
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from bots_sdk.viewer.page import sprite
from engine.record.redact import HIDDEN_DETAIL
from league.ladder.models import RatingChange
from league.matches import queries
from league.matches.models import Fault, Match, Record, Seat
from league.matches.records.codec import Record as RecordData
from league.matches.views import chances, replay, seat_logs
from league.matches.views.rating_receipts import receipts
from league.tournaments.sealing.queries import event_of
from league.web.filters import Filters, asks_for_result
from league.web.fragments import render_once
from league.web.guest_pages import same_for_guests
from league.workers.fleet import capacity
from runners.faults import message

TEXT = "text"
LATEST_COUNT = 20
"""The number of latest matches that tell how long a match takes."""


_OF_SEAT = (
    *("match", "number", "place", "score", "forfeited", "faulty", "think_ms", "slowest_ms"),
    *("bot__slug", "bot__name", "bot__owner", "bot__renamed_at", "version__number"),
)

_RESULT = ("number", "place", "score", "forfeited", "faulty", "think_ms", "slowest_ms")

_RECEIPT = ("seat", "mu_before", "sigma_before", "mu", "sigma", "expected")


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a match, whatever its state."""
    row = get_object_or_404(
        Match.objects.select_related("tournament_game__round__tournament", "chances"), pk=pk
    )
    if row.sealed:
        return _sealed(request, row)
    seats = list(row.seats.select_related("bot", "version").only(*_OF_SEAT))
    context = {
        "match": row,
        "seats": seats,
        "planned": getattr(row, "tournament_game", None),
        "section": "matches",
    }
    if row.hidden or row.status != Match.Status.FINISHED:
        return _unfinished(request, row, context)
    return _finished(request, row, seats, context)


def _sealed(request: HttpRequest, row: Match) -> HttpResponse:
    """Show the same page whatever the match has come to, with nobody who sits at the table. One of
    which nobody may know is not there.
    """
    event = event_of(row)
    if event is None:
        raise Http404
    context = {"match": row, "event": event, "section": "matches"}
    template = "matches/_match_sealed.html" if request.htmx else "matches/match_sealed.html"  # type: ignore[attr-defined]
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _unfinished(request: HttpRequest, row: Match, context: dict[str, Any]) -> HttpResponse:
    """Show the state; the page polls and reloads when the match is over."""
    if row.status == Match.Status.QUEUED:
        place = queries.place_in_queue(row) or 1
        context |= {"place": place, "seconds": round(place * _seconds() / capacity()) or 1}
    template = "matches/_match_state.html" if request.htmx else "matches/match_state.html"  # type: ignore[attr-defined]
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _seconds() -> float:
    """Return how long a match usually takes."""
    latest = Match.objects.finished()[:LATEST_COUNT].values("duration_ms")
    mean = latest.aggregate(mean=Avg("duration_ms"))["mean"]
    return (mean or 1000) / 1000


def _finished(
    request: HttpRequest, row: Match, seats: list[Seat], context: dict[str, Any]
) -> HttpResponse:
    if request.htmx:  # type: ignore[attr-defined]
        response = HttpResponse()
        response["HX-Refresh"] = "true"
        return response
    own = _own(request, seats)
    lines = list(RatingChange.objects.filter(match=row))
    match_receipts = receipts(seats, lines)
    changes = {one.seat.number: one.change for one in match_receipts}
    faults = list(Fault.objects.filter(seat__match=row).select_related("seat").order_by("pk"))
    order = sorted(seats, key=lambda seat: (seat.place or inf, seat.number))
    context |= {
        "result": [(seat, changes.get(seat.number)) for seat in order],
        "receipts": sorted(
            match_receipts, key=lambda one: (one.seat.place or inf, one.seat.number)
        ),
        "own_logs": seat_logs.own_logs(own),
        "logs_expired": seat_logs.expired(row),
        "site_url": settings.SITE_URL,
        "log_days": settings.LOG_DAYS,
        "limits": settings.LIMITS,
        "think_ms": sum(seat.think_ms for seat in seats),
        "spoiler": replay.spoiler_of(row),
        "asked_result": asks_for_result(request.GET),
    }
    context["result_open"] = bool(own) or context["asked_result"]
    filters = Filters(request.GET, request.GET)
    view = filters.choice("view", (*replay.views(row), TEXT), replay.EVERYTHING)
    # The record itself is read only if nobody has drawn it yet.
    stored = Record.objects.filter(match=row).defer("data").first()
    if stored is None:
        # Nothing is left to watch first.
        context |= {"faults": [_fault(fault, None) for fault in faults], "result_open": True}
        return _page(request, row, lines, context)
    row.record = stored
    if view == TEXT:
        record = replay.kept_record(row)
        context |= {
            "story": replay.story(record),
            "faults": [_fault(fault, record) for fault in faults],
        }
        return render(request, "matches/match_text.html", context)
    step = requested_step(request)
    if step is not None or faults:
        seen = replay.record_for(replay.kept_record(row), view)
        context["faults"] = [_fault(fault, seen) for fault in faults]
        context |= _around(seen, step)
    context["viewer"] = replay.viewer(row, view, step, own, result=context["result_open"])
    if view == replay.EVERYTHING:
        # It quotes cards that the other views hide.
        context["match_story"] = chances.story_of(row)
    context["sprite"] = mark_safe(sprite())  # a file of the project
    return _page(request, row, lines, context)


def _own(request: HttpRequest, seats: list[Seat]) -> list[Seat]:
    """Return the seats of the visitor's bots, with their logs."""
    if not request.user.is_authenticated:
        return []
    numbers = [seat.pk for seat in seats if seat.bot.owner_id == request.user.pk]
    if not numbers:
        return []
    return list(Seat.objects.filter(pk__in=numbers).select_related("bot", "version", "log"))


@same_for_guests
def _page(
    request: HttpRequest, row: Match, lines: list[RatingChange], context: dict[str, Any]
) -> HttpResponse:
    """Render the page. Everybody sees the same result, receipts and links below the viewer."""
    result, faults = context["result"], context.get("faults", [])
    names = ("match", "seats", "result", "receipts", "limits", "site_url")
    below = {name: context[name] for name in names}
    story = context.get("match_story")
    below |= {"faults": faults, "viewer": "viewer" in context, "match_story": story}
    shown = (
        *(row.pk, row.game, row.kind, row.rated, below["viewer"]),
        tuple(tuple(getattr(seat, name) for name in _RESULT) for seat, _ in result),
        tuple((seat.bot.slug, seat.bot.name, seat.version.number) for seat, _ in result),
        tuple(tuple(getattr(line, name) for name in _RECEIPT) for line in lines),
        tuple((one["fault"].pk, one["detail"], one["consequence"]) for one in faults),
        story,
    )
    context["result_table"] = render_once("matches/_match_result.html", shown, below)
    context["share"] = render_once("matches/_share.html", shown, below)
    return render(request, "matches/match.html", context)


def requested_step(request: HttpRequest) -> int | None:
    """Return the step that the address names, if there is such a step number."""
    text = request.GET.get("step", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else None


def _around(record: RecordData, step: int | None) -> dict[str, Any]:
    """Return the requested step and its neighbours, for browsers without JavaScript."""
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
    """Return a fault with its title, its details and its consequence."""
    return {
        "fault": fault,
        "title": message(fault.code).title,
        "detail": _detail(fault, record),
        "consequence": _consequence(fault, record),
    }


def _detail(fault: Fault, record: RecordData | None) -> str:
    """Return what happened, as far as the view may know: a sentence can name a hidden card."""
    if record is None or "redacted" not in record:
        return fault.detail
    place = (fault.step, fault.seat.number)
    details = (one["detail"] for one in record["faults"] if (one["step"], one["seat"]) == place)
    return next(details, HIDDEN_DETAIL)


def _consequence(fault: Fault, record: RecordData | None) -> str:
    fallback = ""
    if record is not None and fault.step is not None and fault.step < len(record["steps"]):
        step = record["steps"][fault.step]
        move = step["moves"][fault.seat.number] if "moves" in step else step.get("move")
        fallback = f"The league played “{move}” for {fault.seat.letter}. " if move else ""
    if fault.seat.forfeited:
        return f"{fallback}It forfeited; fallback moves finished the match."
    return fallback or "It played on."
