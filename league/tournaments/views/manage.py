"""The console of a tournament, and everything somebody organises.

What cannot be undone names its consequence and asks for the name of the tournament.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.accounts.models import User
from league.errors import Refused
from league.matches.models import Match
from league.tournaments import presentation, presets
from league.tournaments.forms.tournament import ConfirmActionForm, RoleForm
from league.tournaments.models import Cup, Entry, Tournament
from league.tournaments.planning.formats import load
from league.tournaments.planning.plan import letters
from league.tournaments.planning.scoring import table_points
from league.tournaments.queries import progress
from league.tournaments.queries.estimate import estimate
from league.tournaments.queries.progress import Standing
from league.tournaments.services import lifecycle, recurring, rounds
from league.tournaments.views.public import find, frame
from league.tournaments.views.tables import tables_of
from league.tournaments.wording import count
from league.web.htmx import HtmxRequest, render_live

STATES = ("draft", "open", "locked", "running", "final")
State = Tournament.State


def _managed(request: HttpRequest, slug: str, *, referee: bool = False) -> tuple[Tournament, User]:
    """A tournament, if the one who asks may run it; referees only where that is enough."""
    tournament = find(request, slug)
    allowed = lifecycle.may_referee if referee else lifecycle.may_manage
    if not isinstance(request.user, User) or not allowed(tournament, request.user):
        raise PermissionDenied
    return tournament, request.user


@login_required
@require_safe
def manage(request: HtmxRequest, slug: str) -> HttpResponse:
    """Where it stands, what comes next, what can be done."""
    tournament, user = _managed(request, slug, referee=True)
    context = frame(request, tournament, "manage")
    standing: Standing = context["standing"]
    latest = tournament.rounds.last()
    running = tournament.state == State.RUNNING
    context |= {
        "states": STATES,
        "latest": latest,
        "tables": tables_of(standing, latest) if latest and running else [],
        "next_step": next_step(tournament, standing),
        "forfeiting": [(standing.entries[row.entry], row) for row in standing.rows if row.forfeits]
        if standing.started
        else [],
        "estimate": _estimate(standing)
        if tournament.state in {"draft", "open", "locked"}
        else None,
        "organises": lifecycle.may_manage(tournament, user),
        "roles": tournament.roles.select_related("user"),
        "role_form": RoleForm(),
        "actions": tournament.actions.select_related("user")[:20],
    }
    return render_live(request, "tournaments/manage.html", "tournaments/_console.html", context)


def next_step(tournament: Tournament, standing: Standing) -> str:
    """What happens next, and what it waits for."""
    if tournament.state == State.RUNNING:
        number = len(standing.rounds)
        if tournament.paused:
            return f"It is paused: nothing begins after round {number} until you go on."
        if number >= standing.round_count:
            return f"Round {number} is the last. The tournament is final when its games are over."
        return f"Round {number} is running. Round {number + 1} pairs itself when it ends."
    return {
        State.DRAFT: "Only you can see it. Publish it to open entry.",
        State.OPEN: "Entry closes by itself:",
        State.LOCKED: "Entry is closed and the seeding is fixed. It starts by itself:",
        State.FINAL: "It is over; the results stay.",
    }.get(State(tournament.state), f"It was cancelled: {tournament.cancelled_because}")


def _estimate(standing: Standing) -> Any:
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


def _appoint(tournament: Tournament, user: User, sent: QueryDict) -> None:
    form = RoleForm(sent)
    if not form.is_valid():
        problem = next(iter(form.errors.values()))[0]
        raise Refused("L011", status=422, reason=str(problem).rstrip("."))
    lifecycle.appoint(tournament, user, form.cleaned_data["username"], form.cleaned_data["kind"])


def _dismiss(tournament: Tournament, user: User, sent: QueryDict) -> None:
    helper = get_object_or_404(User, username=sent.get("username", ""))
    lifecycle.dismiss(tournament, user, helper)


STEPS: dict[str, Callable[[Tournament, User, QueryDict], Any]] = {
    "publish": lambda tournament, user, _: lifecycle.publish(tournament, user),
    "lock": lambda tournament, user, _: lifecycle.lock(tournament, user),
    "start": lambda tournament, user, _: lifecycle.start(tournament, user),
    "pause": lambda tournament, user, _: lifecycle.pause(tournament, user, paused=True),
    "go-on": lambda tournament, user, _: lifecycle.pause(tournament, user, paused=False),
    "appoint": _appoint,
    "dismiss": _dismiss,
}
"""What can be taken back, or happens by itself anyway."""
REFEREE = frozenset({"pause", "go-on", "rerun", "void", "disqualify"})


@login_required
@require_POST
def step(request: HttpRequest, slug: str, do: str) -> HttpResponse:
    """Move it on by hand, or change who helps."""
    if do not in STEPS:
        raise Http404
    tournament, user = _managed(request, slug, referee=do in REFEREE)
    try:
        STEPS[do](tournament, user, request.POST)
    except Refused as no:
        messages.error(request, no.message.explanation)
    return redirect("tournaments:manage", slug)


@dataclass(frozen=True, slots=True)
class IrreversibleAction:
    """Something that cannot be undone."""

    title: str
    consequence: str
    do: Callable[[User, str], Any]
    """Given who does it and why."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_action(request: HttpRequest, slug: str, do: str) -> HttpResponse:
    """Name the consequence, ask for the name of the tournament, and do it."""
    if do not in IRREVERSIBLE_ACTIONS:
        raise Http404
    tournament, user = _managed(request, slug, referee=do in REFEREE)
    try:
        planned = IRREVERSIBLE_ACTIONS[do](tournament, request.GET)
    except Refused as no:
        messages.error(request, no.message.explanation)
        return redirect("tournaments:manage", slug)
    sent = request.POST if request.method == "POST" else None
    form = ConfirmActionForm(sent, name=tournament.name)
    if form.is_valid():
        try:
            planned.do(user, form.cleaned_data["because"])
        except Refused as no:
            messages.error(request, no.message.explanation)
        return redirect("tournaments:manage", slug)
    context = frame(request, tournament, "manage") | {"action": planned, "form": form}
    return render(request, "tournaments/confirm_action.html", context)


def _cancel(tournament: Tournament, _: QueryDict) -> IrreversibleAction:
    made = Match.objects.filter(tournament_game__round__tournament=tournament)
    waiting = made.filter(status=Match.Status.QUEUED).count()
    given_up = f" {count(waiting, 'game')} that wait are given up." if waiting else ""
    return IrreversibleAction(
        f"Cancel {tournament}",
        f"Nobody gets a place in {tournament}.{given_up} It cannot be opened again.",
        lambda user, because: lifecycle.cancel(tournament, user, because),
    )


def _disqualify(tournament: Tournament, asked: QueryDict) -> IrreversibleAction:
    inside = tournament.entries.exclude(status=Entry.Status.DISQUALIFIED)
    entry = get_object_or_404(inside.select_related("bot"), bot__slug=asked.get("bot", ""))
    return IrreversibleAction(
        f"Disqualify {entry.bot}",
        f"{entry.bot} plays no further round and is placed behind everybody. Games it has played"
        " stay, and so does what others won against it. It cannot enter again.",
        lambda user, because: lifecycle.disqualify(tournament, user, entry.bot.slug, because),
    )


def _place(tournament: Tournament, asked: QueryDict) -> tuple[int, int, str]:
    """Round and table, and what is at stake there."""
    number, table = (_whole(asked.get(name, "")) for name in ("round", "table"))
    row, planned = rounds.latest_table(tournament, number, table)
    _, config = load(tournament.config)
    played = rounds.played(row)
    points = table_points(config, played, played.tables[planned.number - 1])
    unit = "penalty points" if config.fewest_wins else "points"
    games = count(len(planned.matches()), "game")
    total = presentation.number(sum(points.values(), Fraction(0)))
    return number, table, f"{games} of {count(len(points), 'bot')} and {total} {unit}"


def _whole(said: str) -> int:
    if not said.isdecimal():
        raise Http404
    return int(said)


def _rerun(tournament: Tournament, asked: QueryDict) -> IrreversibleAction:
    number, table, stake = _place(tournament, asked)
    return IrreversibleAction(
        f"Re-run pod {letters(table)} of round {number}",
        f"Voids {stake}, and deals the games again with other cards. Nothing else changes.",
        lambda user, because: lifecycle.rerun_table(tournament, user, number, table, because),
    )


def _void(tournament: Tournament, asked: QueryDict) -> IrreversibleAction:
    number, table, stake = _place(tournament, asked)
    rounds.voidable_table(tournament, number, table)
    return IrreversibleAction(
        f"Void pod {letters(table)} of round {number}",
        f"Voids {stake}. Everybody in the pod gets what an average game is worth instead.",
        lambda user, because: lifecycle.void_table(tournament, user, number, table, because),
    )


IRREVERSIBLE_ACTIONS: dict[str, Callable[[Tournament, QueryDict], IrreversibleAction]] = {
    "cancel": _cancel,
    "disqualify": _disqualify,
    "rerun": _rerun,
    "void": _void,
}


@login_required
@require_safe
def organise(request: HttpRequest) -> HttpResponse:
    """What somebody runs: tournaments, cups, and templates to start from."""
    assert isinstance(request.user, User)
    own = Q(organiser=request.user)
    cups = Cup.objects.all() if request.user.is_staff else Cup.objects.filter(own)
    context = {
        "section": "tournaments",
        "tournaments": progress.with_sizes(progress.organised_by(request.user))[:100],
        "cups": [(cup, recurring.next_dates(cup, 1)) for cup in cups.order_by("name")],
        "presets": presets.PRESETS.values(),
    }
    return render(request, "tournaments/organise.html", context)


@login_required
@require_POST
def turn(request: HttpRequest, slug: str, do: str) -> HttpResponse:
    """Stop a cup, or let it come round again."""
    cup = get_object_or_404(Cup, slug=slug)
    if not lifecycle.may_run(cup, request.user):
        raise PermissionDenied
    if do == "stop":
        recurring.stop(cup)
        messages.success(request, f"{cup} makes no further tournament. What is open takes place.")
        return redirect(cup)
    try:
        recurring.resume(cup)
        messages.success(request, f"{cup} comes round again.")
    except Refused as no:
        messages.error(request, no.message.explanation)
    return redirect(cup)
