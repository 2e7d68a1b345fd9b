"""What every page needs: the frame around its content."""

from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from engine.registry import GAMES
from league import version
from league.workers.models import Worker

THEMES = ("light", "dark")
_REMEMBERED_SECONDS = 5


def frame(request: HttpRequest) -> dict[str, Any]:
    """The theme somebody chose, so that the server draws the right one at once; and the state."""
    theme = request.COOKIES.get("theme")
    return {
        "theme": theme if theme in THEMES else "",
        "page_url": f"{settings.SITE_URL}{request.path}",
        "karat_version": version.karat(),
        "paused": paused(),
        "first_game": next(iter(GAMES.values())),
    }


def paused() -> bool:
    """Whether no worker plays at the moment."""
    known: bool | None = cache.get("paused")
    if known is None:
        known = not Worker.objects.playing().exists()
        cache.set("paused", known, _REMEMBERED_SECONDS)
    return known
