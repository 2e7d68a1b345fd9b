"""The documents of the site: the files of `docs/` and the rules of every game. Finding in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from posixpath import normpath

from django.conf import settings
from django.urls import reverse

from engine.registry import GAMES
from league.pages import markdown
from league.pages.markdown import Document, Section

_SNIPPET = 160


@dataclass(frozen=True, slots=True)
class Book:
    """A document and where it is."""

    url: str
    document: Document

    @property
    def title(self) -> str:
        """Its first heading."""
        return self.document.title


@dataclass(frozen=True, slots=True)
class Finding:
    """A section in which all words were found."""

    title: str
    url: str
    snippet: str
    weight: int


def page(slug: str) -> Book | None:
    """A file of `docs/`."""
    path = settings.ROOT / "docs" / f"{slug}.md"
    return _book(path, reverse("pages:doc", args=[slug])) if path.is_file() else None


def rules(game: str) -> Book:
    """The rules of a game."""
    return _book(_rules_path(game), reverse("pages:rules", args=[game]))


def pages() -> dict[str, Book]:
    """All files of `docs/`, by the name they have in addresses."""
    found = sorted((settings.ROOT / "docs").glob("*.md"))
    return {path.stem: _book(path, reverse("pages:doc", args=[path.stem])) for path in found}


def search(query: str, most: int = 20) -> list[Finding]:
    """The sections of all documents that have all words of the query, the best first."""
    wanted = markdown.words(query)
    if not wanted:
        return []
    books = [*pages().values(), *(rules(game) for game in GAMES)]
    found = [finding for book in books for finding in _findings(book, wanted)]
    return sorted(found, key=lambda one: -one.weight)[:most]


def _findings(book: Book, wanted: list[str]) -> Iterator[Finding]:
    for section in book.document.sections:
        weight = _weight(section, wanted)
        if weight:
            title = section.title if section.level == 1 else f"{book.title}: {section.title}"
            url = book.url if section.level == 1 else f"{book.url}#{section.anchor}"
            yield Finding(title, url, _snippet(section.text, wanted[0]), weight)


def _weight(section: Section, wanted: list[str]) -> int:
    """A word in the title counts most; without one of the words there is nothing."""
    title, text = section.title.casefold(), section.text.casefold()
    counts = [10 * (word in title) + min(5, text.count(word)) for word in wanted]
    return sum(counts) if all(counts) else 0


def _snippet(text: str, word: str) -> str:
    at = max(0, text.casefold().find(word) - 40)
    cut = text[at : at + _SNIPPET]
    return f"{'…' if at else ''}{cut}{'…' if at + _SNIPPET < len(text) else ''}"


def _rules_path(game: str) -> Path:
    root: Path = settings.ROOT
    return root.joinpath(*GAMES[game].package.split("."), "RULES.md")


def _book(path: Path, url: str) -> Book:
    return _read(path, url, path.stat().st_mtime_ns)


@lru_cache(maxsize=100)
def _read(path: Path, url: str, _changed: int) -> Book:
    """Rendered once for each state of the file."""
    folder = path.parent.relative_to(settings.ROOT).as_posix()
    document = markdown.render(
        path.read_text(encoding="utf-8"), lambda target: _address(folder, target)
    )
    return Book(url, document)


def _address(folder: str, target: str) -> str | None:
    """Where a link of a document in this folder leads on the site."""
    if "://" in target or target.startswith(("#", "/")):
        return target
    name, _, anchor = target.partition("#")
    place = Path(normpath(f"{folder}/{name}"))
    at = f"#{anchor}" if anchor else ""
    if place.parent == Path("docs") and place.suffix == ".md":
        return reverse("pages:doc", args=[place.stem]) + at
    for game in GAMES:
        rules = _rules_path(game).relative_to(settings.ROOT)
        if place == rules:
            return reverse("pages:rules", args=[game]) + at
        if place == rules.with_name("cards.py"):
            return reverse("pages:card-pictures", args=[game])
    return None
