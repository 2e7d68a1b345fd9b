"""Template tags of tournaments: countdowns, points, the bot of an entry."""

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from league.bots.models import Bot
from league.tournaments import presentation
from league.tournaments.models import Entry

register = template.Library()


@register.simple_tag
def until(moment: datetime) -> SafeString:
    """Render `in 2 h 14 min`, with the exact time in the markup."""
    exact = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    title = moment.strftime("%Y-%m-%d %H:%M:%S UTC")
    text = _until((moment - timezone.now()).total_seconds())
    return format_html('<time datetime="{}" title="{}">{}</time>', exact, title, text)


def _until(seconds: float) -> str:
    minutes, hours, days = int(seconds // 60), int(seconds // 3600), int(seconds // 86_400)
    if seconds <= 0:
        return "any moment"
    if days >= 2:
        return f"in {days} days"
    if hours:
        return f"in {hours}\u202fh {minutes % 60}\u202fmin"
    return f"in {minutes}\u202fmin" if minutes else f"in {int(seconds)}\u202fs"


@register.filter
def points(value: Fraction) -> str:
    """Return `8.5`."""
    return presentation.number(value)


@register.simple_tag
def bot_of(entry: int, entries: Mapping[int, Entry]) -> Bot:
    """Return the bot of an entry that is given by its key."""
    return entries[entry].bot
