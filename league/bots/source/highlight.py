"""Source as coloured HTML. Colours are classes, because pages carry no styles of their own."""

from hashlib import sha256
from pathlib import Path, PurePosixPath

import pygments
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from league.bots.source import limited
from runners import limited_process
from runners.failures import InfrastructureError
from runners.recent_results import Recent

MAX_CHARACTERS = 64 << 10
"""Longer files are shown in one colour: somebody waits for the page."""
MAX_LINES = 4000
"""Longer files have neither colours nor numbers: an anchor is longer than many a line."""
MAX_REMEMBERED = 32
_LIMITS = limited_process.ChildLimits(cpu_seconds=1, memory_mib=256, wall_seconds=10)
_FOLDERS = [limited.__path__[0], str(Path(pygments.__path__[0]).parent)]

_pages: Recent[SafeString] = Recent(MAX_REMEMBERED)


def lines(text: str, name: str = "bot.py") -> SafeString:
    """Return the text with a numbered anchor at each line, if it has not too many. The name of its
    file says in which language it is.
    """
    suffix = PurePosixPath(name).suffix.lower()
    key = sha256(f"{suffix}\n{text}".encode()).digest()
    return _pages.get(key, lambda: _render(text, suffix))


def _render(text: str, suffix: str) -> SafeString:
    if text.count("\n") > MAX_LINES:
        return mark_safe(f'<div class="highlight"><pre><code>{escape(text)}</code></pre></div>')
    if len(text) > MAX_CHARACTERS:
        return _plain(text)
    try:
        data = f"{suffix}\n{text}".encode()
        page = limited_process.run("colours", data, folders=_FOLDERS, limits=_LIMITS)
    except (limited_process.TooExpensive, InfrastructureError):
        return _plain(text)
    return mark_safe(page.decode())  # Pygments escapes


def _plain(text: str) -> SafeString:
    rows = format_html_join(
        "\n",
        '<a id="line-{0}" href="#line-{0}"><span class="linenos">{0:>5}</span></a>{1}',
        enumerate(text.splitlines(), 1),
    )
    return format_html('<div class="highlight"><pre><code>{}</code></pre></div>', rows)
