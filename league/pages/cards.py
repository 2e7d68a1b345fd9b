"""The page with all cards of a game, as pictures."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from bots_sdk.viewer.cards import card_groups
from bots_sdk.viewer.page import sprite
from engine.registry import GAMES
from league.pages.games import known_game


@require_safe
@conditional_page
@cache_control(private=True, max_age=60)
def cards(request: HttpRequest, game: str) -> HttpResponse:
    """Show every card, drawn from the catalogue; it needs no script."""
    known_game(game)
    groups = [
        # The pictures are drawn by installed kits, which whoever runs the league trusts.
        (group.title, group.about, [mark_safe(picture) for picture in group.pictures])
        for group in card_groups(GAMES[game])
    ]
    context = {
        "section": "docs",
        "game": GAMES[game],
        "games": list(GAMES.values()),
        "groups": groups,
        "sprite": mark_safe(sprite()),  # our own file
    }
    return render(request, "pages/cards.html", context)
