"""One search over everything: bots, users, tournaments, a match by its number, documents, codes."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.accounts.models import User
from league.bots.models import Bot
from league.matches.models import Match
from league.pages import library
from league.tournaments.models import Tournament
from league.web.filters import clean
from runners.faults import CODES, message

MOST = 10
_MOST_DIGITS = 12


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """What fits the words, the surest first."""
    query = clean(request.GET.get("q", ""))
    found = find(query) if query else {}
    context = {"query": query, "found": found, "nothing": query and not any(found.values())}
    return render(request, "pages/search.html", context)


def find(query: str) -> dict[str, Any]:
    """By kind. Nothing here looks at more than a few rows of an index or a small table."""
    users = User.objects.filter(username__icontains=query, deleted_at=None, is_active=True)
    return {
        "codes": [message(query.upper())] if query.upper() in CODES else [],
        "matches": _match(query),
        "bots": list(_bots(query)[:MOST]),
        "users": list(users.order_by("username")[:MOST]),
        "tournaments": list(_tournaments(query)[:MOST]),
        "docs": library.search(query, MOST),
    }


def _tournaments(query: str) -> QuerySet[Tournament]:
    """Return the latest first: a recurring tournament has many of nearly the same name."""
    return Tournament.objects.public().filter(name__icontains=query).order_by("-starts_at")


def _bots(query: str) -> QuerySet[Bot]:
    return Bot.objects.public().filter(name__icontains=query).select_related("owner")


def _match(query: str) -> list[Match]:
    """A number may be written as people read it: 48,211."""
    digits = query.lstrip("#").replace(",", "")
    if not digits.isdecimal() or len(digits) > _MOST_DIGITS:
        return []
    return list(Match.objects.public().filter(pk=int(digits)).prefetch_related("seats__bot"))
