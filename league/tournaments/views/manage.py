"""The console of a tournament: where it stands, what comes next, what can be done."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST, require_safe

from league.accounts.models import User
from league.errors import Refused
from league.tournaments.forms.manage import RoleForm
from league.tournaments.models import Tournament
from league.tournaments.queries.estimate import Estimate, estimate
from league.tournaments.queries.standing import Standing
from league.tournaments.sealing import presentation as sealing
from league.tournaments.sealing.services import reveal_next
from league.tournaments.services import lifecycle, permissions, refereeing
from league.tournaments.views.page import find_tournament, page_context
from league.tournaments.views.tables import tables_of
from league.web.htmx import HtmxRequest, render_live

STATES = ("draft", "open", "locked", "running", "final")
LOG_ROWS = 20
State = Tournament.State


def find_managed(
    request: HttpRequest, slug: str, *, referee: bool = False
) -> tuple[Tournament, User]:
    """Return a tournament and the user who may run it; `referee` admits referees as well."""
    tournament = find_tournament(request, slug)
    allowed = permissions.may_referee if referee else permissions.may_manage
    if not isinstance(request.user, User) or not allowed(tournament, request.user):
        raise PermissionDenied
    return tournament, request.user


@login_required
@require_safe
def manage(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the console."""
    tournament, user = find_managed(request, slug, referee=True)
    standing = Standing(tournament)
    latest = tournament.rounds.last()
    playing = latest if tournament.state == State.RUNNING and latest and not latest.sealed else None
    context = page_context(request, tournament, standing, "manage") | {
        "states": STATES,
        "latest": latest,
        "tables": tables_of(standing, playing) if playing else [],
        "event": sealing.console(standing),
        "next_step": next_step(tournament, standing),
        "forfeiting": [(standing.entries[row.entry], row) for row in standing.rows if row.forfeits]
        if standing.started
        else [],
        "estimate": _estimate(standing)
        if tournament.state in {"draft", "open", "locked"}
        else None,
        "organises": permissions.may_manage(tournament, user),
        "roles": tournament.roles.select_related("user"),
        "role_form": RoleForm(),
        "actions": tournament.actions.select_related("user")[:LOG_ROWS],
    }
    return render_live(request, "tournaments/manage.html", "tournaments/_console.html", context)


def next_step(tournament: Tournament, standing: Standing) -> str:
    """Return what happens next, and what it waits for."""
    if tournament.state == State.RUNNING and tournament.event_night:
        return _next_step_of_event(tournament)
    if tournament.state == State.RUNNING:
        number = len(standing.rounds)
        if tournament.paused:
            return f"Paused: no round begins after round {number} until you resume."
        if number >= standing.round_count:
            return f"Round {number} is the last. The tournament is final when its games are over."
        return f"Round {number} is running. Round {number + 1} is paired when it ends."
    return {
        State.DRAFT: "Only you can see it. Publish it to open entry.",
        State.OPEN: "Entry closes automatically:",
        State.LOCKED: "Entry is closed and the seeding is fixed. It starts automatically:",
        State.FINAL: "It is over; the results stay.",
    }.get(State(tournament.state), f"It was cancelled: {tournament.cancelled_because}")


def _next_step_of_event(tournament: Tournament) -> str:
    """Return what happens next on an event night, where pages count public rounds only."""
    latest = tournament.rounds.last()
    number = latest.number if latest else 0
    if tournament.played_at is not None:
        return "All games are over. The tournament is final when everything is revealed."
    if tournament.paused:
        return f"Paused: no round begins after round {number} until you resume."
    return f"Round {number} is being played. The next one begins by itself when it ends."


def _estimate(standing: Standing) -> Estimate:
    names = [entry.bot.name for entry in standing.playing]
    tournament = standing.tournament
    return estimate(
        standing.form,
        standing.config,
        tournament.game,
        len(names),
        organiser=tournament.organiser,
        names=names,
    )


def _appoint(tournament: Tournament, user: User, data: QueryDict) -> None:
    form = RoleForm(data)
    if not form.is_valid():
        problem = next(iter(form.errors.values()))[0]
        raise Refused("L011", status=422, reason=str(problem).rstrip("."))
    refereeing.appoint(tournament, user, form.cleaned_data["username"], form.cleaned_data["kind"])


def _dismiss(tournament: Tournament, user: User, data: QueryDict) -> None:
    helper = get_object_or_404(User, username=data.get("username", ""))
    refereeing.dismiss(tournament, user, helper)


STEPS: dict[str, Callable[[Tournament, User, QueryDict], str | None]] = {
    "reveal": lambda tournament, user, data: reveal_next(tournament, user, data.get("key", "")),
    "publish": lambda tournament, user, _: lifecycle.publish(tournament, user),
    "lock": lambda tournament, user, _: lifecycle.lock(tournament, user),
    "start": lambda tournament, user, _: lifecycle.start(tournament, user),
    "pause": lambda tournament, user, _: refereeing.pause(tournament, user, paused=True),
    "go-on": lambda tournament, user, _: refereeing.pause(tournament, user, paused=False),
    "appoint": _appoint,
    "dismiss": _dismiss,
}
"""What can be undone, or happens automatically anyway. Some return what to tell the user."""
REFEREE_ACTIONS = frozenset({"pause", "go-on", "rerun", "void", "disqualify"})


@login_required
@require_POST
def step(request: HttpRequest, slug: str, do: str) -> HttpResponse:
    """Move it on by hand, or change who helps."""
    if do not in STEPS:
        raise Http404
    tournament, user = find_managed(request, slug, referee=do in REFEREE_ACTIONS)
    try:
        if text := STEPS[do](tournament, user, request.POST):
            messages.success(request, text)
    except Refused as refusal:
        messages.error(request, refusal.message.explanation)
    return redirect("tournaments:manage", slug)
