"""All matches of a bot, with filters."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine.registry import GAMES
from league.bots.models import Bot
from league.bots.views import seat_rows
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
    """Show the matches of a bot, the latest first."""
    bot = find(request, slug)
    filters = Filters(request.GET, FILTERS)
    sizes = sorted({str(size) for game in GAMES.values() for size in game.seats})
    numbers = [str(number) for number in bot.versions.values_list("number", flat=True)]
    chosen = {
        "game": filters.choice("game", GAMES, ""),
        "seats": filters.choice("seats", sizes, ""),
        "version": filters.choice("version", numbers, ""),
        "opponent": filters.text("opponent").lower(),
        "kind": filters.choice("kind", Match.Kind.values, ""),
        "fault": filters.choice("fault", ("any", *FAULTS), ""),
    }
    page = keyset.page(_seats(bot, chosen), "finished_at", "match", filters.text("after"), ROWS)
    context = {
        "section": "bots",
        "bot": bot,
        "counts": counts(bot),
        "chosen": chosen,
        "filtered": any(chosen.values()),
        "rows": seat_rows.rows(page.rows),
        "page": page,
        "games": list(GAMES.values()),
        "sizes": sizes,
        "numbers": numbers,
        "kinds": Match.Kind.values,
        "codes": FAULTS,
        "removed": filters.removed,
    }
    return render(request, "bots/bot_matches.html", context)


def _seats(bot: Bot, chosen: dict[str, str]) -> QuerySet[Seat]:
    seats = seat_rows.fetch(seat_rows.of_bot(bot))
    if chosen["game"]:
        seats = seats.filter(game=chosen["game"])
    if chosen["seats"]:
        seats = seats.filter(match__seat_count=chosen["seats"])
    if chosen["version"]:
        seats = seats.filter(version__number=chosen["version"])
    if chosen["kind"]:
        seats = seats.filter(match__kind=chosen["kind"])
    if chosen["opponent"]:
        others = Seat.objects.filter(bot__slug=chosen["opponent"]).exclude(bot=bot)
        seats = seats.filter(match__in=others.values("match"))
    if chosen["fault"] == "any":
        seats = seats.filter(faulty=True)
    elif chosen["fault"]:
        seats = seats.filter(pk__in=Fault.objects.filter(code=chosen["fault"]).values("seat"))
    return seats
