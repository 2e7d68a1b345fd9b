"""The page of the playground with a form and what came of it; for htmx only the latter."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.safestring import mark_safe

from bots_sdk.viewer.page import sprite
from league.bots.source.findings import Reading
from league.playground.forms import RunForm, games_for_page
from league.playground.models import PlaygroundRun
from league.playground.playing import MATCH_SECONDS
from league.playground.views import outcome
from league.web.htmx import HtmxRequest
from runners.faults import Message


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the page says about something that was not run."""

    reading: Reading | None = None
    refusal: Message | None = None
    status: int = 200


def show(
    request: HtmxRequest,
    form: RunForm,
    feedback: Feedback | None = None,
    run: PlaygroundRun | None = None,
) -> HttpResponse:
    """Render the page, or only the outcome if htmx asks."""
    feedback = feedback or Feedback()
    context: dict[str, Any] = {"form": form, "feedback": feedback, "run": run}
    if run is not None:
        context |= outcome.context(request, run)
    if request.htmx:
        response = render(request, "playground/_outcome.html", context)
        if feedback.status == HTTPStatus.TOO_MANY_REQUESTS:
            response.status_code = feedback.status
        if run is None or not run.unfinished:
            # Until then the last replay stays where it is.
            response["HX-Retarget"] = "#run"
    else:
        context |= {
            "games": games_for_page(),
            "limit": settings.LIMITS.source_kib,
            "match_seconds": MATCH_SECONDS,
            "sprite": mark_safe(sprite()),  # a file of the project
            "section": "playground",
        }
        response = render(request, "playground/editor.html", context, status=feedback.status)
    patch_vary_headers(response, ["HX-Request"])
    return response
