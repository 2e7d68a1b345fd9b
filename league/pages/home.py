"""The home page: what this is, a match to watch, and how the league stands."""

from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.http import HttpResponse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from bots_sdk.viewer.page import sprite
from engine.game import Game
from engine.registry import GAMES
from league.bots.models import Bot
from league.ladder import board
from league.ladder.board import Line, Mover
from league.ladder.models import Entry
from league.ladder.services import PROVISIONAL
from league.matches.models import Match
from league.pages.featured_match import highlight
from league.tournaments.queries import lists as tournaments
from league.web.guest_pages import same_for_guests
from league.web.htmx import HtmxRequest, render_live
from league.workers.state import counts

TOP = 3
MOVERS = 5
NEW_BOTS = 5
_CACHE_SECONDS = 5


@dataclass(frozen=True, slots=True)
class Top:
    """The best bots of a game."""

    game: Game
    lines: list[Line]


@require_safe
@same_for_guests
def home(request: HtmxRequest) -> HttpResponse:
    """Show how the league stands; for htmx only the numbers that change."""
    context: dict[str, Any] = {"section": "home", "enough": PROVISIONAL, **_numbers()}
    if not request.htmx:
        context |= {"on_table": highlight(), "sprite": mark_safe(sprite())}  # our own file
    return render_live(request, "pages/home.html", "pages/_home.html", context)


def _numbers() -> dict[str, Any]:
    """Return the numbers of the league, computed once for all visitors within some seconds."""
    cached: dict[str, Any] | None = cache.get("home")
    if cached is None:
        cached = {
            "tops": [Top(game, board.lines(slug)[:TOP]) for slug, game in GAMES.items()],
            "movers": _movers(),
            "next_tournaments": tournaments.upcoming(),
            "newcomers": _newcomers(),
            "match_count": counts()[Match.Status.FINISHED],
            "bot_count": Bot.objects.public().count(),
            "last": Match.objects.finished().public().values_list("finished_at", flat=True).first(),
        }
        cache.set("home", cached, _CACHE_SECONDS)
    return cached


def _movers() -> list[Mover]:
    """Return the bots that moved most, over all games."""
    movers = [mover for game in GAMES for mover in board.movers(game, MOVERS)]
    moved = [mover for mover in movers if abs(mover.change) >= 1]
    return sorted(moved, key=lambda mover: -abs(mover.change))[:MOVERS]


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A new bot, and how far it is."""

    bot: Bot
    matches: int
    """Most on one ladder."""


def _newcomers() -> list[Newcomer]:
    """Return the latest bots of users that play."""
    bots = list(
        Bot.objects.public()
        .filter(owner__isnull=False, active__isnull=False)
        .select_related("owner")
        .order_by("-created_at")[:NEW_BOTS]
    )
    most: dict[int, int] = {}
    for bot, matches in Entry.objects.filter(bot__in=bots).values_list("bot", "matches"):
        most[bot] = max(most.get(bot, 0), matches)
    return [Newcomer(bot, most.get(bot.pk, 0)) for bot in bots]
