"""Template filter for the sentences of messages: code and links."""

import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_QUOTED = re.compile(r"`([^`]+)`")
_ADDRESS = re.compile(r"(?<![\w/])(/(?:docs|me|bots)/[\w/-]*\w/)")


@register.filter
def backticks(sentence: str) -> SafeString:
    """Render text between backticks as code, and addresses of the site as links."""
    parts = _QUOTED.split(sentence)
    rendered = [
        f"<code>{escape(part)}</code>" if quoted else _link(escape(part))
        for part, quoted in zip(parts, _alternating(len(parts)), strict=True)
    ]
    return mark_safe("".join(rendered))  # every part is escaped above


def _alternating(count: int) -> list[bool]:
    """Return which parts were between backticks: splitting puts them at every second place."""
    return [bool(number % 2) for number in range(count)]


def _link(text: str) -> str:
    return _ADDRESS.sub(r'<a href="\1">\1</a>', text)
