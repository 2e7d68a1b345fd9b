"""A text as coloured HTML, made in a child: some texts keep Pygments busy for minutes."""

from pygments import highlight, lexers
from pygments.formatters import HtmlFormatter

_LEXERS = {
    ".py": "PythonLexer",
    ".json": "JsonLexer",
    ".toml": "TOMLLexer",
    ".yaml": "YamlLexer",
    ".yml": "YamlLexer",
    ".ini": "IniLexer",
    ".cfg": "IniLexer",
    ".md": "MarkdownLexer",
}
"""Named here, because a search by file name would load whatever plugins are installed."""


def answer(data: bytes) -> bytes:
    """Return the text after the first line as HTML with a numbered anchor at each line. The first
    line is how the name of its file ends.
    """
    suffix, _, text = data.decode().partition("\n")
    lexer = getattr(lexers, _LEXERS.get(suffix, "TextLexer"))(stripnl=False)
    form = HtmlFormatter(linenos="inline", lineanchors="line", anchorlinenos=True, wrapcode=True)
    page: str = highlight(text, lexer, form)
    return page.encode()
