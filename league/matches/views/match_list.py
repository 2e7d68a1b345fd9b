"""The list of matches."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import conditional_page, require_safe

from engine.registry import GAMES
from league.bots.models import Bot
from league.matches.models import Fault, Match
from league.web import keyset
from league.web.filters import Filters
from runners.faults import CODES

ROWS = 30
FAULTS = tuple(code for code in CODES if code.startswith("E"))
SORTS = {"latest": "finished_at", "excitement": "excitement"}


@require_safe
@conditional_page
def matches(request: HttpRequest) -> HttpResponse:
    """Show the latest or the most exciting matches; for htmx only the table."""
    filters = Filters(request.GET, ("game", "kind", "bot", "fault", "sort", "after"))
    selection = {
        "game": filters.choice("game", GAMES, ""),
        "kind": filters.choice("kind", Match.Kind.values, ""),
        "fault": filters.choice("fault", ("any", *FAULTS), ""),
        "sort": filters.choice("sort", SORTS, "latest"),
    }
    name = filters.text("bot")
    bot = Bot.objects.filter(slug=name.lower().replace(" ", "-")).first() if name else None
    if bot:
        query = request.GET.copy()
        query.pop("bot")
        return redirect(f"{bot.get_absolute_url()}matches/?{query.urlencode()}")
    by = SORTS[selection["sort"]]
    page = keyset.page(_matches(selection), by, "pk", filters.text("after"), ROWS)
    context = {
        "section": "matches",
        "found": page,
        "asked": selection,
        "unknown_bot": name,
        "removed": filters.removed,
        "games": list(GAMES.values()),
        "kinds": Match.Kind.values,
        "codes": FAULTS,
        "live": selection["sort"] == "latest" and not filters.text("after"),
        "filtered": any(selection[name] for name in ("game", "kind", "fault")),
    }
    template = "matches/_matches.html" if request.htmx else "matches/matches.html"  # type: ignore[attr-defined]
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _matches(selection: dict[str, str]) -> QuerySet[Match]:
    matches = (
        Match.objects.filter(status=Match.Status.FINISHED)
        .public()
        .prefetch_related("seats__bot", "seats__version")
    )
    if selection["game"]:
        matches = matches.filter(game=selection["game"])
    if selection["kind"]:
        matches = matches.filter(kind=selection["kind"])
    if selection["fault"]:
        faults = Fault.objects.order_by()
        if selection["fault"] != "any":
            faults = faults.filter(code=selection["fault"])
        matches = matches.filter(pk__in=faults.values("seat__match"))
    return matches
