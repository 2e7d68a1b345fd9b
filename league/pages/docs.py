"""The documents: a table of contents, pages from Markdown, and a page for every code."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from bots_sdk import house
from bots_sdk.rating.skill import Rating
from engine.game import Game
from engine.registry import GAMES
from league.accounts.models import User
from league.bots.source import highlight
from league.pages import library
from league.pages.games import known_game
from league.web import drawings
from league.web.filters import clean
from league.web.guest_pages import same_for_guests
from runners.faults import CODES, Kind, message

_KINDS: dict[Kind, tuple[str, str]] = {
    "upload": ("Before a match: the check", "The version is not accepted."),
    "load": ("At the start of a match", "The seat forfeits."),
    "soft": ("In a match: soft faults", "A fallback move is played; the third one forfeits."),
    "hard": ("In a match: hard faults", "The seat forfeits."),
    "notice": ("Notices", "Not a fault."),
    "ours": ("Our side", "Never counts against a bot."),
    "wait": ("Waiting", "Nothing is wrong."),
    "limit": ("Refusals", "Nothing was changed."),
}
"""The heading of codes of a kind, and what follows from one."""

_HOUSE_BOTS = "house-bots"
"""The document about them, which lists their sources."""


@require_safe
@same_for_guests
def index(request: HttpRequest) -> HttpResponse:
    """Show the table of contents, and a search over everything."""
    query = clean(request.GET.get("q", ""))
    context = {
        "section": "docs",
        "chapters": library.contents(),
        "rules": [library.rules(game) for game in GAMES],
        "query": query,
        "findings": library.search(query),
    }
    return render(request, "pages/docs.html", context)


@require_safe
@same_for_guests
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a document of `docs/`."""
    book = library.page(slug)
    if book is None:
        raise Http404("There is no such document.")
    more = {"house_bots": _house_bots()} if slug == _HOUSE_BOTS else {}
    return _render(request, book, **more)


@require_safe
@same_for_guests
def house_bot(request: HttpRequest, game: str, name: str) -> HttpResponse:
    """Show the source of a house bot."""
    known_game(game)
    if name not in house.names(game):
        raise Http404(f"{GAMES[game].name} has no such house bot.")
    text = house.source(game, name)
    bundle = house.bundle(game, name)
    context = {
        "section": "docs",
        "game": GAMES[game],
        "name": name,
        "lines": len(text.splitlines()),
        "code": highlight.lines(text),
        "files": bundle.listing.files if bundle else (),
        "names": house.names(game),
    }
    return render(request, "pages/house_bot.html", context)


def _house_bots() -> list[tuple[Game, list[str]]]:
    """Return the games that have house bots, with their names; installed games included."""
    return [(game, names) for game in GAMES.values() if (names := house.names(game.slug))]


@require_safe
@same_for_guests
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """Show the rules of a game."""
    known_game(game)
    return _render(request, library.rules(game), game=GAMES[game], games=list(GAMES.values()))


def _render(request: HttpRequest, book: library.Book, **more: Any) -> HttpResponse:
    contents = [section for section in book.document.sections if section.level == 2]
    context = {"section": "docs", "book": book, "contents": contents, **more}
    return render(request, "pages/document.html", context)


@require_safe
@same_for_guests
def errors(request: HttpRequest) -> HttpResponse:
    """List all codes."""
    return _list(request)


@require_safe
@same_for_guests
def error(request: HttpRequest, code: str) -> HttpResponse:
    """Show one code; the list if it is unknown."""
    if code not in CODES:
        if code.upper() in CODES:
            return redirect("pages:error", code=code.upper())
        return _list(request, unknown=code, status=404)
    explained = message(code)
    heading, consequence = _KINDS[explained.kind]
    context = {
        "section": "docs",
        "message": explained,
        "heading": heading,
        "consequence": consequence,
        "limits": settings.LIMITS,
    }
    return render(request, "pages/error_code.html", context)


def _list(request: HttpRequest, *, unknown: str = "", status: int = 200) -> HttpResponse:
    groups = [
        {"heading": heading, "codes": [message(c) for c, one in CODES.items() if one.kind == kind]}
        for kind, (heading, _) in _KINDS.items()
    ]
    context = {"section": "docs", "groups": groups, "unknown": unknown[:20]}
    return render(request, "pages/error_codes.html", context, status=status)


@require_safe
def components(request: HttpRequest) -> HttpResponse:
    """Show every component in both themes, to check a change of style."""
    if not (settings.DEBUG or _is_staff(request.user)):
        raise Http404("Only staff look at components.")
    sure, unsure = Rating(33.5, 0.6), Rating()
    axis = drawings.Axis.over([sure], [unsure])
    context = {
        "section": "docs",
        "intervals": [
            (drawings.interval(axis, sure), False),
            (drawings.interval(axis, unsure), True),
        ],
        "message": message("E302", match=48_211, step=17),
        "ours": message("S001", match=48_211),
    }
    return render(request, "pages/components.html", context)


def _is_staff(user: User | AnonymousUser) -> bool:
    return user.is_authenticated and user.is_staff
