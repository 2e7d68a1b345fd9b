"""The standings of a tournament, for people and for programs."""

import csv

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import conditional_page, require_safe

from league.tournaments import presentation
from league.tournaments.planning.knockout import Knockout
from league.tournaments.queries import exports
from league.tournaments.queries.standing import Standing
from league.tournaments.sealing import presentation as sealing
from league.tournaments.views.page import find_tournament, page_context
from league.web.htmx import HtmxRequest, render_live


@require_safe
@conditional_page
def standings(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show all entries, with every value that decided."""
    tournament = find_tournament(request, slug)
    standing = Standing(tournament)
    context = page_context(request, tournament, standing, "standings") | {
        "lines": lines(request, standing),
        "places": sealing.place_lines(standing),
        "chain": presentation.chain(standing.config, isinstance(standing.config, Knockout)),
    }
    return render_live(
        request, "tournaments/standings.html", "tournaments/_standings.html", context
    )


def lines(
    request: HttpRequest, standing: Standing, chances: dict[int, float] | None = None
) -> list[presentation.Line]:
    """Return the lines of the standings; none before the first round."""
    if not standing.started:
        return []
    return presentation.lines(
        standing.rows,
        standing.entries,
        standing.rounds,
        standing.tournament.game,
        standing.config,
        chances,
        request.user.pk,
    )


@require_safe
def standings_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the standings as CSV."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}.csv"'
    rows = exports.table(Standing(find_tournament(request, slug)))
    csv.writer(response).writerows(rows)
    return response


@require_safe
def standings_json(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the standings as JSON."""
    tournament = find_tournament(request, slug)
    rows = exports.values(Standing(tournament))
    return JsonResponse({"tournament": slug, "state": tournament.state, "standings": rows})
