"""The feed of matches."""

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
    """The latest or the most dramatic matches; for htmx only the table."""
    wanted = Filters(request.GET, ("game", "kind", "bot", "fault", "sort", "after"))
    asked = {
        "game": wanted.choice("game", GAMES, ""),
        "kind": wanted.choice("kind", Match.Kind.values, ""),
        "fault": wanted.choice("fault", ("any", *FAULTS), ""),
        "sort": wanted.choice("sort", SORTS, "latest"),
    }
    name = wanted.text("bot")
    bot = Bot.objects.filter(slug=name.lower().replace(" ", "-")).first() if name else None
    if bot:
        query = request.GET.copy()
        query.pop("bot")
        return redirect(f"{bot.get_absolute_url()}matches/?{query.urlencode()}")
    by = SORTS[asked["sort"]]
    found = keyset.page(_matches(asked), by, "pk", wanted.text("after"), ROWS)
    shown = {
        "section": "matches",
        "found": found,
        "asked": asked,
        "unknown_bot": name,
        "removed": wanted.removed,
        "games": list(GAMES.values()),
        "kinds": Match.Kind.values,
        "codes": FAULTS,
        "live": asked["sort"] == "latest" and not wanted.text("after"),
        "filtered": any(asked[name] for name in ("game", "kind", "fault")),
    }
    template = "matches/_matches.html" if request.htmx else "matches/matches.html"  # type: ignore[attr-defined]
    response = render(request, template, shown)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _matches(asked: dict[str, str]) -> QuerySet[Match]:
    found = (
        Match.objects.filter(status=Match.Status.FINISHED)
        .public()
        .prefetch_related("seats__bot", "seats__version")
    )
    if asked["game"]:
        found = found.filter(game=asked["game"])
    if asked["kind"]:
        found = found.filter(kind=asked["kind"])
    if asked["fault"]:
        faults = Fault.objects.order_by()
        if asked["fault"] != "any":
            faults = faults.filter(code=asked["fault"])
        found = found.filter(pk__in=faults.values("seat__match"))
    return found
