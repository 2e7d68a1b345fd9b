"""All matches of a bot, with filters."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine.registry import GAMES
from league.bots.models import Bot
from league.bots.views import seat_rows as sat
from league.bots.views.overview import find
from league.bots.views.versions import counts
from league.matches.models import Fault, Match, Seat
from league.matches.views.match_list import FAULTS
from league.web import keyset
from league.web.filters import Filters

ROWS = 30
FILTERS = ("game", "seats", "version", "opponent", "kind", "fault", "sort", "after")


@require_safe
def matches(request: HttpRequest, slug: str) -> HttpResponse:
    """The latest first."""
    bot = find(slug)
    wanted = Filters(request.GET, FILTERS)
    sizes = sorted({str(size) for game in GAMES.values() for size in game.seats})
    numbers = [str(number) for number in bot.versions.values_list("number", flat=True)]
    asked = {
        "game": wanted.choice("game", GAMES, ""),
        "seats": wanted.choice("seats", sizes, ""),
        "version": wanted.choice("version", numbers, ""),
        "opponent": wanted.text("opponent").lower(),
        "kind": wanted.choice("kind", Match.Kind.values, ""),
        "fault": wanted.choice("fault", ("any", *FAULTS), ""),
    }
    found = keyset.page(_seats(bot, asked), "finished_at", "match", wanted.text("after"), ROWS)
    shown = {
        "section": "bots",
        "bot": bot,
        "counts": counts(bot),
        "asked": asked,
        "filtered": any(asked.values()),
        "rows": sat.rows(found.rows),
        "found": found,
        "games": list(GAMES.values()),
        "sizes": sizes,
        "numbers": numbers,
        "kinds": Match.Kind.values,
        "codes": FAULTS,
        "removed": wanted.removed,
    }
    return render(request, "bots/bot_matches.html", shown)


def _seats(bot: Bot, asked: dict[str, str]) -> QuerySet[Seat]:
    found = sat.fetched(sat.of_bot(bot))
    if asked["game"]:
        found = found.filter(game=asked["game"])
    if asked["seats"]:
        found = found.filter(match__seat_count=asked["seats"])
    if asked["version"]:
        found = found.filter(version__number=asked["version"])
    if asked["kind"]:
        found = found.filter(match__kind=asked["kind"])
    if asked["opponent"]:
        others = Seat.objects.filter(bot__slug=asked["opponent"]).exclude(bot=bot)
        found = found.filter(match__in=others.values("match"))
    if asked["fault"] == "any":
        found = found.filter(faulty=True)
    elif asked["fault"]:
        found = found.filter(pk__in=Fault.objects.filter(code=asked["fault"]).values("seat"))
    return found
