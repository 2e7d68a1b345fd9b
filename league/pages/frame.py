"""What every page needs: the frame around its content."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone

from league import version
from league.matches.models import Worker

THEMES = ("light", "dark")
SILENCE_SECONDS = 30
"""Workers that were not heard of for longer are taken for gone."""
_REMEMBERED_SECONDS = 5


def frame(request: HttpRequest) -> dict[str, Any]:
    """The theme somebody chose, so that the server draws the right one at once; and the state."""
    theme = request.COOKIES.get("theme")
    return {
        "theme": theme if theme in THEMES else "",
        "page_url": f"{settings.SITE_URL}{request.path}",
        "karat_version": version.karat(),
        "paused": paused(),
        "tournaments_open": True,
    }


def paused() -> bool:
    """Whether no worker plays at the moment."""
    known: bool | None = cache.get("paused")
    if known is None:
        lately = timezone.now() - timedelta(seconds=SILENCE_SECONDS)
        playing = Worker.objects.filter(sandbox_ok=True, draining=False, set_aside_at=None)
        known = not playing.filter(seen_at__gte=lately).exists()
        cache.set("paused", known, _REMEMBERED_SECONDS)
    return known
