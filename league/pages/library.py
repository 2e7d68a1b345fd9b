"""The documents of the site: the files of `docs/` and the rules of every game."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from os.path import normpath
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html

from bots_sdk import house
from engine.registry import GAMES
from league.pages import markdown
from league.pages.markdown import Document, Section

SNIPPET_LENGTH = 160
"""Characters."""
_INDEX = "README"
"""The table of contents of `docs/`."""
_LISTED = re.compile(r"^- \[[^\]]*\]\(([\w-]+)\.md\): (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Book:
    """A document and where it is."""

    url: str
    document: Document

    @property
    def title(self) -> str:
        """Return its first heading."""
        return self.document.title


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the table of contents: tutorials, how-to guides, reference or explanation."""

    title: str
    purpose: str
    entries: tuple[tuple[Book, str], ...]
    """Each document with what is in it."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A section that has all words of a query."""

    title: str
    url: str
    snippet: str
    weight: int


def contents() -> list[Chapter]:
    """Return the table of contents, as `docs/README.md` has it."""
    books = pages()
    text = (settings.ROOT / "docs" / f"{_INDEX}.md").read_text(encoding="utf-8")
    chapters = []
    for part in text.split("\n## ")[1:]:
        title, purpose, *_ = (line for line in part.splitlines() if line)
        entries = [(books[slug], text) for slug, text in _LISTED.findall(part) if slug in books]
        chapters.append(Chapter(title, purpose, tuple(entries)))
    return chapters


def page(slug: str) -> Book | None:
    """Return a file of `docs/`."""
    path = settings.ROOT / "docs" / f"{slug}.md"
    is_page = path.is_file() and slug != _INDEX
    return _book(path, reverse("pages:doc", args=[slug])) if is_page else None


def rules(game: str) -> Book:
    """Return the rules of a game. One without RULES.md gets a page that says so."""
    path, url = _rules_path(game), reverse("pages:rules", args=[game])
    return _book(path, url) if path.is_file() else _no_rules(game, url)


def _no_rules(game: str, url: str) -> Book:
    name = GAMES[game].name
    text = format_html("<p>{} comes without written rules.</p>", name)
    return Book(url, Document(title=name, html=text, lead=text, sections=()))


def pages() -> dict[str, Book]:
    """Return all files of `docs/`, by the name they have in addresses."""
    paths = sorted((settings.ROOT / "docs").glob("*.md"))
    return {path.stem: book for path in paths if (book := page(path.stem))}


def search(query: str, limit: int = 20) -> list[SearchResult]:
    """Return the sections that have all words of the query, the best first."""
    words = markdown.words(query)
    if not words:
        return []
    books = [*pages().values(), *(rules(game) for game in GAMES)]
    results = [result for book in books for result in _search_book(book, words)]
    return sorted(results, key=lambda result: -result.weight)[:limit]


def _search_book(book: Book, words: list[str]) -> Iterator[SearchResult]:
    for section in book.document.sections:
        weight = _weight(section, words)
        if weight:
            title = section.title if section.level == 1 else f"{book.title}: {section.title}"
            url = book.url if section.level == 1 else f"{book.url}#{section.anchor}"
            yield SearchResult(title, url, _snippet(section.text, words[0]), weight)


def _weight(section: Section, words: list[str]) -> int:
    """Return how well a section fits; 0 unless it has all words. Words in the title count most."""
    title, text = section.title.casefold(), section.text.casefold()
    counts = [10 * (word in title) + min(5, text.count(word)) for word in words]
    return sum(counts) if all(counts) else 0


def _snippet(text: str, word: str) -> str:
    at = max(0, text.casefold().find(word) - 40)
    cut = text[at : at + SNIPPET_LENGTH]
    return f"{'…' if at else ''}{cut}{'…' if at + SNIPPET_LENGTH < len(text) else ''}"


def _rules_path(game: str) -> Path:
    return Path(str(files(GAMES[game].package))) / "RULES.md"


def _book(path: Path, url: str) -> Book:
    return _read(path, url, path.stat().st_mtime_ns)


@lru_cache(maxsize=100)
def _read(path: Path, url: str, _changed: int) -> Book:
    """Render a file, once for each of its states."""
    document = markdown.render(
        path.read_text(encoding="utf-8"), lambda target: _address(path.parent, target)
    )
    return Book(url, document)


def _address(folder: Path, target: str) -> str | None:
    """Return where a link of a document in this folder leads on the site."""
    if "://" in target or target.startswith(("#", "/")):
        return target
    name, _, anchor = target.partition("#")
    path = Path(normpath(folder / name))
    fragment = f"#{anchor}" if anchor else ""
    if path == settings.ROOT / "docs" / f"{_INDEX}.md":
        return reverse("pages:docs")
    if path.parent == settings.ROOT / "docs" and path.suffix == ".md":
        return f"{reverse('pages:doc', args=[path.stem])}{fragment}"
    for game in GAMES:
        rules_path = _rules_path(game)
        if path == rules_path:
            return f"{reverse('pages:rules', args=[game])}{fragment}"
        if path == rules_path.with_name("cards.py"):
            return reverse("pages:card-pictures", args=[game])
        for name, house_path in house.files(game).items():
            if path == house_path:
                return reverse("pages:house-bot", args=[game, name])
    return None
