"""The pages of one tournament: overview, schedule, entries, rules and log."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.accounts.models import User
from league.matches.game_options import describe_options
from league.tournaments import presentation
from league.tournaments.forms.entry import EntryForm
from league.tournaments.models import Tournament
from league.tournaments.planning.certificate import certify
from league.tournaments.planning.knockout import Knockout
from league.tournaments.queries.entering import enterable, no_entry_reason
from league.tournaments.queries.standing import Standing
from league.tournaments.sealing import presentation as sealing
from league.tournaments.sealing.queries import sealed_since
from league.tournaments.services import rounds
from league.tournaments.services.recurring import next_dates
from league.tournaments.views.page import find_tournament, page_context
from league.tournaments.views.standings import lines as standings_lines
from league.tournaments.views.tables import tables_of
from league.web.guest_pages import same_for_guests
from league.web.htmx import HtmxRequest, render_live

TOP_ROWS = 8
LOG_ROWS = 500
PODIUM = 3
State = Tournament.State


@require_safe
@same_for_guests
def detail(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show how far it is and who leads, and the form to enter a bot."""
    tournament = find_tournament(request, slug)
    standing = Standing(tournament)
    hidden = request.GET.get("predictions") == "hide"
    lines = standings_lines(request, standing, {} if hidden else standing.chances())
    context = page_context(request, tournament, standing, "overview") | {
        "lines": lines[:TOP_ROWS],
        "more": max(0, len(lines) - TOP_ROWS),
        "mine": [line for line in lines if line.mine],
        "places": sealing.place_lines(standing),
        "podium": _podium(lines) if tournament.state == State.FINAL else [],
        "predicted": any(line.chance is not None for line in lines),
        "hidden": hidden,
        **_latest_tables(standing),
        **_entering(request, tournament),
    }
    return render_live(request, "tournaments/detail.html", "tournaments/_detail.html", context)


def _podium(lines: list[presentation.Line]) -> list[presentation.Line]:
    return [line for line in lines if line.place and line.place <= PODIUM and not line.status]


def _latest_tables(standing: Standing) -> dict[str, Any]:
    if not standing.round_rows:
        return {"tables": []}
    latest = standing.round_rows[-1]
    tables = tables_of(standing, latest)
    watch = next((table.watch for table in tables if table.watch), None)
    return {"latest": latest, "tables": tables, "watch": watch}


def _entering(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """Return the form to enter, or why there is none."""
    if not isinstance(request.user, User) or tournament.over:
        return {}
    bots = enterable(tournament, request.user)
    own = tournament.entries.filter(bot__owner=request.user, status="playing")
    is_open = tournament.state == State.OPEN
    form = EntryForm(bots=bots, by_invitation=bool(tournament.invite_code)) if bots else None
    return {
        "entry_form": form,
        "no_entry_reason": no_entry_reason(tournament, request.user)
        if is_open and not bots
        else "",
        "own_entries": list(own.select_related("bot")),
    }


@require_safe
def schedule(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all its times, and the next dates if it recurs."""
    tournament = find_tournament(request, slug)
    standing = Standing(tournament)
    context = page_context(request, tournament, standing, "schedule") | {
        "rows": standing.round_rows,
        "dates": next_dates(tournament.recurring) if tournament.recurring else [],
    }
    return render(request, "tournaments/schedule.html", context)


@require_safe
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all entries."""
    tournament = find_tournament(request, slug)
    context = page_context(request, tournament, Standing(tournament), "entries")
    return render(request, "tournaments/entries.html", context)


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the format in words, how balanced its rounds are, and the seed once it is final."""
    tournament = find_tournament(request, slug)
    standing = Standing(tournament)
    locked = [entry.pk for entry in standing.entries.values() if entry.rank]
    context = page_context(request, tournament, standing, "rules") | {
        "format_text": standing.form.describe(standing.config),
        "options": describe_options(tournament.game, tournament.options),
        "dealers_rotate": rounds.dealers_rotate(tournament),
        "chain": presentation.chain(standing.config, isinstance(standing.config, Knockout)),
        "certificate": certify(locked, standing.config.seats, standing.rounds)
        if standing.rounds
        else None,
        "event_night": sealing.rules(tournament),
        "notes": standing.form.notes(standing.config, standing.size) if standing.size else [],
    }
    return render(request, "tournaments/rules.html", context)


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the audit log: to everybody if the tournament is rated."""
    tournament = find_tournament(request, slug)
    context = page_context(request, tournament, Standing(tournament), "log")
    if not (tournament.rated or context["manages"]):
        raise Http404
    actions = tournament.actions.select_related("user")
    if not context["manages"] and (since := sealed_since(tournament)):
        actions = actions.filter(at__lt=since)
        context["sealed_since"] = since
    context["actions"] = actions[:LOG_ROWS]
    return render(request, "tournaments/log.html", context)
