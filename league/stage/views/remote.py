"""The remote of an event's wall, for the phone of whoever runs the event."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from league.accounts.models import User
from league.errors import Refused
from league.matches.models import Match
from league.stage import programme, services
from league.stage.choices import choices_of
from league.stage.models import Stage
from league.stage.panels import panels_of
from league.stage.premiere.clock import SPEEDS
from league.stage.premiere.shows import show_of
from league.tournaments.models import Tournament
from league.tournaments.sealing import queries as sealing
from league.tournaments.views.manage import find_managed
from league.web.htmx import HtmxRequest, render_live


def _find(request: HttpRequest, slug: str) -> tuple[Stage, Tournament, User]:
    """Return the wall of a published event, and its organiser who holds the remote."""
    tournament, user = find_managed(request, slug)
    if tournament.published_at is None:
        raise Http404
    stage = services.stage_of(tournament)
    stage.tournament = tournament
    return stage, tournament, user


@login_required
@require_safe
def remote(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the buttons, or for htmx what they would do by now."""
    stage, tournament, _ = _find(request, slug)
    context = _context(stage, tournament) | {"asks": request.GET.get("ask") == "reveal"}
    return render_live(request, "stage/remote.html", "stage/_remote.html", context)


@login_required
@require_POST
def press(request: HtmxRequest, slug: str, do: str) -> HttpResponse:
    """Do what a button is for. A press that came too late changes nothing and says so."""
    if do not in PRESSES:
        raise Http404
    stage, tournament, user = _find(request, slug)
    said = problem = ""
    try:
        said = PRESSES[do](stage, _revision(request.POST), user, request.POST) or ""
    except Refused as refusal:
        problem = refusal.message.explanation
    if not request.htmx:
        if said or problem:
            messages.add_message(
                request, messages.ERROR if problem else messages.INFO, said or problem
            )
        return redirect("stage:remote", slug)
    tournament.refresh_from_db()
    stage.refresh_from_db()
    context = _context(stage, tournament) | {"said": said, "problem": problem}
    return render(request, "stage/_remote.html", context)


def _revision(data: QueryDict) -> int:
    text = data.get("revision", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1


def _begin(stage: Stage, revision: int, _: User, data: QueryDict) -> None:
    text = data.get("match", "")
    pk = int(text) if text.isascii() and text.isdecimal() and len(text) < 18 else 0
    match = get_object_or_404(Match, pk=pk)
    services.begin(stage, revision, match)


def _set_speed(stage: Stage, revision: int, _: User, data: QueryDict) -> None:
    speeds = {f"{speed:g}": speed for speed in SPEEDS}
    services.set_speed(stage, revision, speeds.get(data.get("speed", ""), 0.0))


PRESSES: dict[str, Callable[[Stage, int, User, QueryDict], str | None]] = {
    "play": lambda stage, revision, _, __: services.play(stage, revision),
    "pause": lambda stage, revision, _, __: services.pause(stage, revision),
    "back": lambda stage, revision, _, __: services.go_back(stage, revision),
    "speed": _set_speed,
    "match": _begin,
    "pane": lambda stage, revision, _, data: services.show_pane(
        stage, revision, data.get("pane", "")
    ),
    "hand-over": lambda stage, revision, _, __: services.hand_over(stage, revision),
    "reveal": lambda stage, revision, user, data: services.reveal(
        stage, revision, user, data.get("key", "")[:40]
    ),
}


def _context(stage: Stage, tournament: Tournament) -> dict[str, Any]:
    choices = choices_of(stage, tournament)
    playing = _playing(stage)
    return {
        "section": "tournaments",
        "tournament": tournament,
        "stage": stage,
        "playing": playing,
        "speeds": [(f"{speed:g}", speed == stage.speed) for speed in SPEEDS],
        "panes": _panes(stage, tournament, has_match=playing is not None),
        "choices": choices,
        "suggestion": choices.suggestion,
        "reveal": sealing.next_reveal(tournament),
        "presented": programme.is_presented(stage, timezone.now()),
    }


def _playing(stage: Stage) -> dict[str, Any] | None:
    """Return the premiere as a line of text, with how far it is."""
    show = None if stage.match_id is None else show_of(stage.match_id)
    if show is None:
        return None
    position = services.clock_of(stage).position(services.milliseconds(timezone.now()))
    seconds = int(min(position, show.last_ms) / 1000)
    return {
        "names": " · ".join(seat["name"] for seat in show.record["seats"]),
        "time": f"{seconds // 60}:{seconds % 60:02}",
        "is_over": position >= show.last_ms,
        "is_running": stage.running_since is not None and position < show.last_ms,
    }


def _panes(stage: Stage, tournament: Tournament, *, has_match: bool) -> list[tuple[str, str, bool]]:
    """Return value, label and whether it is on, of each pane that has something to show by now."""
    present = {Stage.Pane.AUTO.value, stage.pane, *panels_of(tournament)}
    if has_match:
        present.add(Stage.Pane.PREMIERE.value)
    return [
        (value, label, value == stage.pane)
        for value, label in Stage.Pane.choices
        if value in present
    ]
