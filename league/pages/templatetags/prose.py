"""Sentences of the one table of messages, as pages show them."""

import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_QUOTED = re.compile(r"`([^`]+)`")
_ADDRESS = re.compile(r"(?<![\w/])(/(?:docs|me|bots)/[\w/-]*\w/)")


@register.filter
def backticks(sentence: str) -> SafeString:
    """What stands between backticks is code, and an address of the site is a link."""
    parts = _QUOTED.split(sentence)
    shown = [
        f"<code>{escape(part)}</code>" if quoted else _linked(escape(part))
        for part, quoted in zip(parts, _alternating(len(parts)), strict=True)
    ]
    return mark_safe("".join(shown))  # every part is escaped above


def _alternating(count: int) -> list[bool]:
    """Splitting by a group puts what it found at every second place."""
    return [bool(number % 2) for number in range(count)]


def _linked(text: str) -> str:
    return _ADDRESS.sub(r'<a href="\1">\1</a>', text)
