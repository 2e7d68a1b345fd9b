"""The opponents of a bot, with the share of matches in which it finished ahead."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from bots_sdk.rating.skill import Rating
from engine.registry import GAMES
from league.bots.models import Bot
from league.bots.views.overview import find
from league.bots.views.versions import counts
from league.ladder.models import LadderRating
from league.matches.statistics import meetings
from league.matches.statistics.meetings import HeadToHead, Sizes
from league.web.filters import Filters

ROWS = 50


@dataclass(frozen=True, slots=True)
class Row:
    """An opponent."""

    bot: Bot
    strength: Rating | None
    altogether: HeadToHead
    cells: list[HeadToHead | None]
    """One for each size of table."""


SORTS: dict[str, Callable[[Row], Any]] = {
    "rating": lambda row: -row.strength.shown if row.strength else 0,
    "ahead": lambda row: -row.altogether.share,
    "met": lambda row: -row.altogether.met,
    "name": lambda row: row.bot.name.casefold(),
}


@require_safe
def opponents(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the matrix of one game, the strongest opponents first."""
    bot = find(request, slug)
    filters = Filters(request.GET, ("game", "sort", "page"))
    plays = bot.active.games if bot.active else []
    game = filters.choice("game", GAMES, plays[0] if plays else next(iter(GAMES)))
    sort = filters.choice("sort", SORTS, "rating")
    met = meetings.against(bot, game)
    sizes = sorted({size for one in met.values() for size in one})
    rows = sorted(_rows(met, sizes, game), key=SORTS[sort])
    context = {
        "section": "bots",
        "bot": bot,
        "counts": counts(bot),
        "game": GAMES[game],
        "games": list(GAMES.values()),
        "sort": sort,
        "sizes": sizes,
        "rows": rows[:ROWS],
        "more": len(rows) - ROWS,
        "enough": meetings.ENOUGH,
        "closest": max(rows, key=lambda row: row.altogether.met, default=None),
        "known": any(row.altogether.enough for row in rows),
        "removed": filters.removed,
    }
    return render(request, "bots/bot_opponents.html", context)


def _rows(met: dict[int, Sizes], sizes: list[int], game: str) -> list[Row]:
    bots = Bot.objects.only("name", "slug").in_bulk(met)
    active = LadderRating.objects.filter(ladder=game, version__bot__active=F("version"))
    strengths = {
        bot: Rating(mu, sigma)
        for bot, mu, sigma in active.values_list("version__bot", "mu", "sigma")
    }
    return [
        Row(
            bots[other],
            strengths.get(other),
            meetings.altogether(sizes_met),
            [sizes_met.get(size) for size in sizes],
        )
        for other, sizes_met in met.items()
    ]
