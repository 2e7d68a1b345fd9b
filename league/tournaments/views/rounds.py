"""The rounds of a tournament, and the bracket of a knock-out."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import conditional_page, require_safe

from league.tournaments import presentation
from league.tournaments.planning.bracket import BracketRound, bracket
from league.tournaments.planning.config import Config
from league.tournaments.planning.knockout import Knockout
from league.tournaments.planning.plan import Round
from league.tournaments.planning.scoring import bye_points
from league.tournaments.queries.rounds import entries_of, public_rows
from league.tournaments.queries.standing import Standing
from league.tournaments.views.page import find_tournament, page_context
from league.tournaments.views.tables import tables_of
from league.web.htmx import HtmxRequest, render_live


@require_safe
def latest_round(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the current round, or the last one."""
    tournament = find_tournament(request, slug)
    return redirect("tournaments:round", slug, max(1, len(public_rows(tournament))))


@require_safe
@conditional_page
def one_round(request: HtmxRequest, slug: str, number: int) -> HttpResponse:
    """Show the tables of a round with all their games."""
    tournament = find_tournament(request, slug)
    standing = Standing(tournament)
    rows = {row.number: row for row in standing.round_rows}
    if number not in rows and not 1 <= number <= max(1, standing.round_count):
        raise Http404
    row = rows.get(number)
    planned = standing.rounds[number - 1] if row else None
    context = page_context(request, tournament, standing, "rounds") | {
        "number": number,
        "numbers": range(1, standing.round_count + 1),
        "row": row,
        "tables": tables_of(standing, row) if row else [],
        "byes": [standing.entries[entry] for entry in planned.byes] if planned else [],
        "bye_points": _bye_points(standing.config, planned) if planned else "",
    }
    return render_live(request, "tournaments/round.html", "tournaments/_round.html", context)


def _bye_points(config: Config, planned: Round) -> str:
    return presentation.points_text(bye_points(config, planned), config)


@require_safe
def knockout(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the bracket as a list; its lines are decoration."""
    tournament = find_tournament(request, slug)
    standing = Standing(tournament)
    context = page_context(request, tournament, standing, "bracket")
    context["bracket"] = _bracket(standing)
    return render_live(request, "tournaments/bracket.html", "tournaments/_bracket.html", context)


def _bracket(standing: Standing) -> list[BracketRound]:
    if not isinstance(standing.config, Knockout):
        return []
    locked = entries_of(standing.tournament)
    if not standing.rounds and standing.config.refusal_reason(len(locked)):
        return []
    return bracket(standing.config, locked, standing.rounds)
