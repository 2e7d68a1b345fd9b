"""What came of a run as the page shows it: waiting, the replay with its log, or the fault."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from bots_sdk.viewer.page import replay_html
from bots_sdk.viewer.replay import EVERYTHING, replay_of
from engine.game import seat_letter
from league.bots.source.findings import excerpt
from league.matches.records import codec
from league.matches.views import seat_logs
from league.matches.views.match import requested_step
from league.playground import queries
from league.playground.models import PlaygroundRun
from league.playground.playing import SEAT
from league.web.filters import Filters
from league.workers import fleet
from runners.faults import Message, Situation, message

VIEWS = (EVERYTHING, seat_letter(SEAT))
"""Through whose eyes it can be watched: the opponents have no owner who would like to know."""
_QUICK_MS, _USUAL_MS, _SLOW_MS = 150, 400, 1000
"""How soon the page asks again: a match takes less than a second, a long queue many."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A fault in words, with the line and the step it is about."""

    message: Message
    traceback: str
    step: int | None
    line: int | None
    excerpt: str


def context(request: HttpRequest, run: PlaygroundRun) -> dict[str, Any]:
    """Return what the template needs."""
    if run.unfinished:
        places = max(1, fleet.capacity() - 1)
        return {"wait": queries.wait_of(run, places), "poll_ms": _poll_ms(run)}
    explanations = [explain(fault, run.code) for fault in run.faults]
    values: dict[str, Any] = {"faults": explanations[:1], "more_faults": explanations[1:]}
    if run.record:
        record = codec.unpack(run.record)
        _, notes = codec.split_notes(record, [False] * run.seat_count)
        view = Filters(request.GET, request.GET).choice("view", VIEWS, EVERYTHING)
        values |= {
            "entries": seat_logs.entries(run.printed, run.marks, notes[SEAT]),
            "viewer": _viewer(request, run, record, view),
        }
    return values


def _poll_ms(run: PlaygroundRun) -> int:
    age_seconds = (timezone.now() - run.created_at).total_seconds()
    if age_seconds < 3:
        return _QUICK_MS
    return _USUAL_MS if age_seconds < 15 else _SLOW_MS


def explain(fault: dict[str, Any], code: str) -> Explanation:
    """Return a fault in the words of its code, with the line it is about."""
    values = fault["values"]
    line = values.get("line")
    place = excerpt(code, line, None) if line else ""
    # It is a match like one on the author's own machine: nothing is lost by it.
    text = message(fault["code"], Situation.LOCAL, step=fault["step"], **values)
    return Explanation(text, fault["traceback"], fault["step"], line, place)


def _viewer(
    request: HttpRequest, run: PlaygroundRun, record: codec.Record, view: str
) -> SafeString:
    step = requested_step(request)
    if step is None:
        steps = [fault["step"] for fault in run.faults if fault["step"] is not None]
        step = steps[0] if steps else None
    replay = replay_of(
        record,
        view=view,
        views=VIEWS,
        record_url=reverse("playground:record", args=[run.key]),
        page_url=run.get_absolute_url(),
        step=step,
        owner_log_url="#bot-log",
    )
    return mark_safe(replay_html(replay))  # the viewer escapes names, notes and details of faults
