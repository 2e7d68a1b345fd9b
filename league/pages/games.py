"""The page of a game: what it is, who is best at it, and what is on its table."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from engine.catalogue import catalogue
from engine.registry import GAMES
from league.bots.models import Bot
from league.ladder import board
from league.matches.models import Match
from league.pages import library
from league.web.guest_pages import same_for_guests

TOP = 5


class UnknownGame(Http404):
    """There is no such game; the error page lists the others."""


def known_game(slug: str) -> None:
    """Refuse games that do not exist."""
    if slug not in GAMES:
        raise UnknownGame(f"There is no game `{slug[:40]}`.")


@require_safe
@same_for_guests
def game(request: HttpRequest, game: str) -> HttpResponse:
    """Show a summary of the rules, the latest match, the best bots and the house bots."""
    known_game(game)
    ranked = [line for line in board.lines_of(board.revision(game)) if line.rank]
    finished = Match.objects.finished().public().filter(game=game)
    context = {
        "section": "leaderboards",
        "game": GAMES[game],
        "games": list(GAMES.values()),
        "rules": library.rules(game),
        "latest": finished.prefetch_related("seats__bot").first(),
        "top": board.with_current_names(ranked[:TOP]),
        "house": Bot.objects.playing(game)
        .filter(owner=None)
        .select_related("active")
        .defer("active__steps"),
    }
    return render(request, "pages/game.html", context)


@require_safe
@conditional_page
@cache_control(public=True, max_age=3600)
def cards(_: HttpRequest, game: str) -> HttpResponse:
    """Return the cards and numbers of a game, for a viewer that knows no rules."""
    known_game(game)
    return JsonResponse(catalogue(GAMES[game]))
