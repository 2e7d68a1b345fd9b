"""Template filters and tags for numbers, times, places, scores and links."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from engine.narration import joined, ordinal
from engine.registry import GAMES, presentation_of
from league.web import fragments

register = template.Library()
register.simple_tag(fragments.fragment)

THIN_SPACE = "\u202f"
MINUS = "\u2212"
_STEPS = ((60, 1, "s"), (3600, 60, "min"), (86_400, 3600, "h"), (30 * 86_400, 86_400, "d"))


@register.filter(is_safe=True)
def one_line(text: str) -> str:
    """Put a text in one line; for titles and descriptions, which templates may break and indent."""
    return " ".join(text.split())


@register.filter
def thousands(number: float | None) -> str:
    """Return `12,408`."""
    return "" if number is None else f"{number:,.0f}".replace("-", MINUS)


@register.filter
def signed(number: float | None) -> str:
    """Return `+6`, `−11`, `0`."""
    if number is None:
        return ""
    return f"{number:+,.0f}".replace("-", MINUS) if round(number) else "0"


@register.filter
def percent(share: float | None, digits: int = 0) -> str:
    """Return `41 %`."""
    return "" if share is None else f"{share * 100:.{digits}f}{THIN_SPACE}%"


@register.filter
def place(number: int | None) -> str:
    """Return `1st`."""
    return "–" if number is None else ordinal(number)


@register.filter
def file_size(size: int | None) -> str:
    """Return `12 B`, `3.4 KB`, `1.2 MB`, rounded up: what is over a limit never looks as if it
    were not.
    """
    if size is None:
        return ""
    if size < 1 << 10:
        return f"{size}{THIN_SPACE}B"
    unit, shift = ("KB", 10) if size <= 999 << 10 else ("MB", 20)
    return f"{-(-size * 10 >> shift) / 10:,.1f}".removesuffix(".0") + f"{THIN_SPACE}{unit}"


@register.filter
def milliseconds(ms: float | None) -> str:
    """Return `4 ms`, `1.2 s`."""
    if ms is None:
        return ""
    if ms >= 1000:
        return f"{ms / 1000:.1f}{THIN_SPACE}s"
    return f"{ms:.0f}{THIN_SPACE}ms" if ms >= 10 else f"{ms:.1f}{THIN_SPACE}ms"


@register.filter
def game_name(slug: str) -> str:
    """Return the name of a game."""
    game = GAMES.get(slug)
    return game.name if game else slug


@register.filter
def players(seats: Iterable[Any]) -> str:
    """Return the names of the bots in some seats, in the order of the seats: `A, B and C`."""
    return joined(seat.bot.name for seat in sorted(seats, key=lambda seat: seat.number))


@register.filter
def score(value: int | None, slug: str) -> str:
    """Return a final score as the game says it: 38M, 61 points, 2 missing."""
    if value is None:
        return "–"
    return presentation_of(slug).format_score(value)


@register.simple_tag
def ago(moment: datetime | None) -> SafeString:
    """Render `9 s ago`, with the exact time in the markup."""
    if moment is None:
        return format_html("{}", "–")
    seconds = max(0.0, (timezone.now() - moment).total_seconds())
    text = moment.strftime("%d %b %Y").lstrip("0")
    for limit, unit, letter in _STEPS:
        if seconds < limit:
            text = f"{int(seconds // unit)}{THIN_SPACE}{letter} ago"
            break
    return _time(moment, text)


@register.simple_tag
def clock(moment: datetime | None) -> SafeString:
    """Render `12 Nov 2026, 18:30 UTC`; with JavaScript in local time."""
    if moment is None:
        return format_html("{}", "–")
    text = moment.strftime("%d %b %Y, %H:%M UTC").lstrip("0")
    return _time(moment, text, show="clock")


def _time(moment: datetime, text: str, show: str = "ago") -> SafeString:
    exact = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    title = moment.strftime("%Y-%m-%d %H:%M:%S UTC")
    return format_html(
        '<time datetime="{}" title="{}" data-show="{}">{}</time>', exact, title, show, text
    )


@register.simple_tag(takes_context=True)
def keep(context: dict[str, Any], **changes: Any) -> str:
    """Return the query of this page with some values changed, for links of filters and pages."""
    query = context["request"].GET.copy()
    for name, value in changes.items():
        if value in (None, ""):
            query.pop(name, None)
        else:
            query[name] = value
    return f"?{query.urlencode()}"
