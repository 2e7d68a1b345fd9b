"""What everybody sees of tournaments. Thin: find, ask, render."""

import csv
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import conditional_page, require_POST, require_safe

from league.accounts.models import User
from league.bots.models import Bot
from league.errors import Refused
from league.matches.game_options import describe_options
from league.tournaments import presentation
from league.tournaments.forms.tournament import EntryForm
from league.tournaments.models import Cup, Tournament
from league.tournaments.planning.bracket import BracketRound, bracket
from league.tournaments.planning.certificate import certify
from league.tournaments.planning.knockout import Knockout
from league.tournaments.queries import exports, progress
from league.tournaments.queries.progress import Standing
from league.tournaments.services import entries, lifecycle, rounds
from league.tournaments.services.recurring import next_dates
from league.tournaments.views.tables import tables_of
from league.web.htmx import HtmxRequest, render_live

TOP = 8
PAST = 20
State = Tournament.State


def find(request: HttpRequest, slug: str) -> Tournament:
    """A tournament that may be seen: drafts are for those who run them."""
    found = get_object_or_404(Tournament.objects.select_related("organiser", "cup"), slug=slug)
    if found.published_at is None and not lifecycle.may_referee(found, request.user):
        raise Http404
    return found


def frame(request: HttpRequest, tournament: Tournament, tab: str) -> dict[str, Any]:
    """What all pages of a tournament share."""
    standing = Standing(tournament)
    return {
        "section": "tournaments",
        "tab": tab,
        "tournament": tournament,
        "standing": standing,
        "manages": lifecycle.may_referee(tournament, request.user),
        "score_head": presentation.score_head(tournament.game),
        "points_head": presentation.points_head(standing.config),
    }


@require_safe
@conditional_page
def index(request: HtmxRequest) -> HttpResponse:
    """What is played now, what comes next, what was."""
    past = Paginator(progress.with_sizes(Tournament.objects.past()), PAST).get_page(
        request.GET.get("page")
    )
    context = {
        "section": "tournaments",
        "live": progress.live(),
        "coming": progress.with_sizes(Tournament.objects.coming()),
        "cups": [(cup, next_dates(cup, 1)) for cup in progress.running_cups()],
        "page": past,
        "past": [(one, podium) for one, podium in _with_podiums(list(past.object_list))],
    }
    return render_live(request, "tournaments/index.html", "tournaments/_index.html", context)


def _with_podiums(tournaments: list[Tournament]) -> list[tuple[Tournament, list[Any]]]:
    podiums = progress.podiums(tournaments)
    return [(tournament, podiums.get(tournament.pk, [])) for tournament in tournaments]


@require_safe
@conditional_page
def detail(request: HtmxRequest, slug: str) -> HttpResponse:
    """How far it is and who leads; who may enter, enters here."""
    tournament = find(request, slug)
    context = frame(request, tournament, "overview")
    standing: Standing = context["standing"]
    hidden = request.GET.get("predictions") == "hide"
    lines = _lines(request, standing, {} if hidden else standing.chances())
    context |= {
        "lines": lines[:TOP],
        "more": max(0, len(lines) - TOP),
        "mine": [line for line in lines if line.mine],
        "podium": [line for line in lines if line.place and line.place <= 3 and not line.status]
        if tournament.state == State.FINAL
        else [],
        "predicted": any(line.chance is not None for line in lines),
        "hidden": hidden,
        **_latest_tables(tournament, standing),
        **_entering(request, tournament),
    }
    return render_live(request, "tournaments/detail.html", "tournaments/_detail.html", context)


def _lines(
    request: HttpRequest, standing: Standing, chances: dict[int, float] | None = None
) -> list[presentation.Line]:
    if not standing.started:
        return []
    return presentation.lines(
        standing.rows,
        standing.entries,
        standing.rounds,
        standing.tournament.game,
        chances,
        request.user.pk,
    )


def _latest_tables(tournament: Tournament, standing: Standing) -> dict[str, Any]:
    latest = tournament.rounds.last()
    if latest is None:
        return {"tables": []}
    tables = tables_of(standing, latest)
    watch = next((table.watch for table in tables if table.watch), None)
    return {"latest": latest, "tables": tables, "watch": watch}


def _entering(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """The form to enter, or why there is none."""
    if not isinstance(request.user, User) or tournament.over:
        return {}
    bots = progress.enterable(tournament, request.user)
    own = tournament.entries.filter(bot__owner=request.user, status="playing")
    is_open = tournament.state == State.OPEN
    return {
        "entry_form": EntryForm(bots=bots, invited=bool(tournament.invite_code)) if bots else None,
        "why_none": progress.why_none(tournament, request.user) if is_open and not bots else "",
        "entered": list(own.select_related("bot")),
    }


@require_safe
@conditional_page
def standings(request: HtmxRequest, slug: str) -> HttpResponse:
    """Everybody, with all that decided."""
    context = frame(request, find(request, slug), "standings")
    standing: Standing = context["standing"]
    context |= {
        "lines": _lines(request, standing),
        "chain": presentation.chain(standing.config, isinstance(standing.config, Knockout)),
    }
    return render_live(
        request, "tournaments/standings.html", "tournaments/_standings.html", context
    )


@require_safe
def standings_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings as a table for other programs."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}.csv"'
    csv.writer(response).writerows(exports.table(Standing(find(request, slug))))
    return response


@require_safe
def standings_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The same as JSON."""
    tournament = find(request, slug)
    lines = exports.values(Standing(tournament))
    return JsonResponse({"tournament": slug, "state": tournament.state, "standings": lines})


@require_safe
def latest_round(request: HttpRequest, slug: str) -> HttpResponse:
    """The round that is played, or the last one."""
    tournament = find(request, slug)
    return redirect("tournaments:round", slug, max(1, tournament.rounds.count()))


@require_safe
@conditional_page
def one_round(request: HtmxRequest, slug: str, number: int) -> HttpResponse:
    """The tables of a round with all their games."""
    tournament = find(request, slug)
    context = frame(request, tournament, "rounds")
    standing: Standing = context["standing"]
    rows = {row.number: row for row in tournament.rounds.all()}
    if number not in rows and not 1 <= number <= max(1, standing.round_count):
        raise Http404
    context |= {
        "number": number,
        "numbers": range(1, standing.round_count + 1),
        "row": rows.get(number),
        "tables": tables_of(standing, rows[number]) if number in rows else [],
        "byes": [standing.entries[entry] for entry in standing.rounds[number - 1].byes]
        if number in rows
        else [],
    }
    return render_live(request, "tournaments/round.html", "tournaments/_round.html", context)


@require_safe
def brackets(request: HtmxRequest, slug: str) -> HttpResponse:
    """The knock-out as a list; the lines are decoration."""
    tournament = find(request, slug)
    context = frame(request, tournament, "bracket")
    context["bracket"] = _bracket(tournament, context["standing"])
    return render_live(request, "tournaments/bracket.html", "tournaments/_bracket.html", context)


def _bracket(tournament: Tournament, standing: Standing) -> list[BracketRound]:
    if not isinstance(standing.config, Knockout):
        return []
    locked = rounds.entries_of(tournament)
    if not standing.rounds and standing.config.refusal_reason(len(locked)):
        return []
    return bracket(standing.config, locked, standing.rounds)


@require_safe
def schedule(request: HttpRequest, slug: str) -> HttpResponse:
    """All its times, and when it comes round again."""
    tournament = find(request, slug)
    context = frame(request, tournament, "schedule")
    context |= {
        "rows": tournament.rounds.all(),
        "dates": next_dates(tournament.cup) if tournament.cup else [],
    }
    return render(request, "tournaments/schedule.html", context)


@require_safe
def entered(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is in it."""
    return render(
        request, "tournaments/entries.html", frame(request, find(request, slug), "entries")
    )


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The format in words, how evenly it was dealt out, and the seed once it is final."""
    tournament = find(request, slug)
    context = frame(request, tournament, "rules")
    standing: Standing = context["standing"]
    locked = [entry.pk for entry in standing.entries.values() if entry.rank]
    context |= {
        "described": standing.form.describe(standing.config),
        "options": describe_options(tournament.game, tournament.options),
        "dealers_rotate": rounds.dealers_rotate(tournament),
        "chain": presentation.chain(standing.config, isinstance(standing.config, Knockout)),
        "certificate": certify(locked, standing.config.seats, standing.rounds)
        if standing.rounds
        else None,
        "notes": standing.form.notes(standing.config, standing.size) if standing.size else [],
    }
    return render(request, "tournaments/rules.html", context)


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that organisers did: for all to see where ratings are at stake."""
    tournament = find(request, slug)
    context = frame(request, tournament, "log")
    if not (tournament.rated or context["manages"]):
        raise Http404
    context["actions"] = tournament.actions.select_related("user")[:500]
    return render(request, "tournaments/log.html", context)


@login_required
@require_POST
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Put one of one's own bots in."""
    tournament = find(request, slug)
    assert isinstance(request.user, User)
    bot = get_object_or_404(Bot.objects.named(request.POST.get("bot", "")), owner=request.user)
    try:
        entries.enter(tournament, bot, request.user, request.POST.get("invite_code", "").strip())
    except Refused as no:
        messages.error(request, no.message.explanation)
    else:
        messages.success(request, f"{bot} is in {tournament}.")
    return redirect(tournament)


@login_required
@require_POST
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Take one of one's own bots out."""
    tournament = find(request, slug)
    assert isinstance(request.user, User)
    bot = get_object_or_404(Bot.objects.named(request.POST.get("bot", "")), owner=request.user)
    try:
        entries.withdraw(tournament, bot, request.user)
    except Refused as no:
        messages.error(request, no.message.explanation)
    else:
        messages.success(request, f"{bot} has left {tournament}.")
    return redirect(tournament)


@require_safe
def cup(request: HttpRequest, slug: str) -> HttpResponse:
    """A cup: when it comes round, and who won it."""
    found = get_object_or_404(Cup.objects.select_related("organiser"), slug=slug)
    held = progress.with_sizes(found.occurrences.public()).order_by("-planned_at")[:PAST]
    context = {
        "section": "tournaments",
        "cup": found,
        "dates": next_dates(found),
        "held": _with_podiums(list(held)),
        "runs": lifecycle.may_run(found, request.user),
    }
    return render(request, "tournaments/cup.html", context)
