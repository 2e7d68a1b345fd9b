"""The context that every page has: theme, address, version and state of the league."""

from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from engine.registry import GAMES
from league import version
from league.workers.models import Worker

THEMES = ("light", "dark")
_CACHE_SECONDS = 5


def frame(request: HttpRequest) -> dict[str, Any]:
    """Return what the frame of a page needs. The server already renders the chosen theme."""
    theme = request.COOKIES.get("theme")
    return {
        "theme": theme if theme in THEMES else "",
        "page_url": f"{settings.SITE_URL}{request.path}",
        "karat_version": version.karat(),
        "paused": paused(),
        "first_game": next(iter(GAMES.values()), None),
    }


def paused() -> bool:
    """Return whether no worker plays at the moment."""
    cached: bool | None = cache.get("paused")
    if cached is None:
        cached = not Worker.objects.playing().exists()
        cache.set("paused", cached, _CACHE_SECONDS)
    return cached
