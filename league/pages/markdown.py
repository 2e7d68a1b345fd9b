"""Documents from Markdown to safe HTML: anchors at headings, coloured code, links of the site.

Pure: the caller resolves links.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import nh3
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

Resolve = Callable[[str], str | None]
"""The address on the site of what a document links to, or None if it is not on it."""

_ATTRIBUTES = {
    "a": {"href", "title"},
    "table": {"class"},
    "th": {"class", "scope"},
    "td": {"class"},
    "code": {"class"},
    "span": {"class"},
    "div": {"class", "tabindex", "role", "aria-label"},
    **{f"h{level}": {"id"} for level in range(1, 7)},
    "ol": {"start"},
    "pre": {"tabindex"},
}
_TAGS = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "a", "em", "strong", "code", "pre", "span", "div"),
    *("ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "blockquote", "hr", "br"),
}
_TABLE = '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table class="ledger">'
_ADJUSTED = {
    "<table>": _TABLE,
    "</table>": "</table></div>",
    "<pre>": '<pre tabindex="0">',
    "<th></th>": "<td></td>",
}
"""What may be wider than a phone scrolls by itself, and can be reached with the keyboard; an empty
corner of a table is no heading.
"""
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document under one heading, as plain text."""

    title: str
    anchor: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A page to read."""

    title: str
    html: str
    """Without the title."""
    lead: str
    """What stands before the first section."""
    sections: tuple[Section, ...]


def render(text: str, resolve: Resolve) -> Document:
    """Render a whole document."""
    markdown = MarkdownIt("commonmark", {"html": False, "highlight": _highlight}).enable("table")
    tokens = markdown.parse(text)
    sections = list(_sections(tokens))
    for token in tokens:
        if token.type == "inline":
            _resolve_links(token.children or [], resolve)
    body = _without_title(tokens)
    first = next((at for at, token in enumerate(body) if token.type == "heading_open"), len(body))
    return Document(
        title=sections[0].title if sections else "",
        html=_html(markdown, body),
        lead=_html(markdown, body[:first]),
        sections=tuple(sections),
    )


def _html(markdown: MarkdownIt, tokens: Sequence[Token]) -> str:
    html = markdown.renderer.render(tokens, markdown.options, {})
    for plain, better in _ADJUSTED.items():
        html = html.replace(plain, better)
    return nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes={"https", "http"})


def _without_title(tokens: list[Token]) -> list[Token]:
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1":
            return tokens[:at] + tokens[at + 3 :]
    return tokens


def _sections(tokens: list[Token]) -> Iterator[Section]:
    """Yield the sections, and give every heading its anchor."""
    used: set[str] = set()
    title, anchor, level = "", "", 1
    texts: list[str] = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            if title:
                yield Section(title, anchor, level, " ".join(texts))
            title, level, texts = _plain(tokens[at + 1]), int(token.tag[1]), []
            anchor = _anchor(title, used)
            token.attrSet("id", anchor)
        elif token.type == "inline" and tokens[at - 1].type != "heading_open":
            texts.append(_plain(token))
        elif token.type in {"fence", "code_block"}:
            texts.append(token.content)
    if title:
        yield Section(title, anchor, level, " ".join(texts))


def _plain(inline: Token) -> str:
    parts = [child.content or " " for child in inline.children or []]
    return " ".join("".join(parts).split())


def _anchor(title: str, used: set[str]) -> str:
    name = slugify(title) or "section"
    number = 2
    while name in used:
        name, number = f"{slugify(title)}-{number}", number + 1
    used.add(name)
    return name


def _resolve_links(children: list[Token], resolve: Resolve) -> None:
    """Let links lead to pages of the site; targets outside are only named."""
    unlinked = 0
    for token in children:
        if token.type == "link_open":
            target = resolve(str(token.attrGet("href") or ""))
            if target is None:
                token.tag, token.attrs, unlinked = "span", {}, unlinked + 1
            else:
                token.attrSet("href", target)
        elif token.type == "link_close" and unlinked:
            token.tag, unlinked = "span", unlinked - 1


def _highlight(code: str, language: str, _: Any) -> str:
    """Return code with classes for colours, as pages have no inline styles."""
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return escape(code)
    return str(highlight(code, lexer, HtmlFormatter(nowrap=True)))


def words(text: str) -> list[str]:
    """Return the words of a text, in lower case."""
    return _WORDS.findall(text.casefold())
