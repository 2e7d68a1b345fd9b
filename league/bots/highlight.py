"""Source as coloured HTML. Colours are classes, because pages carry no styles of their own."""

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

MOST_CHARACTERS = 64 << 10
"""Longer files are shown in one colour: somebody waits for the page."""


def lines(text: str) -> SafeString:
    """The text with a numbered anchor at each line."""
    if len(text) > MOST_CHARACTERS:
        return _plain(text)
    form = HtmlFormatter(linenos="inline", lineanchors="line", anchorlinenos=True, wrapcode=True)
    return mark_safe(highlight(text, PythonLexer(stripnl=False), form))  # Pygments escapes


def _plain(text: str) -> SafeString:
    rows = format_html_join(
        "\n",
        '<a id="line-{0}" href="#line-{0}"><span class="linenos">{0:>5}</span></a>{1}',
        enumerate(text.splitlines(), 1),
    )
    return format_html('<div class="highlight"><pre><code>{}</code></pre></div>', rows)
