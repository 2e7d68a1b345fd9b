"""The site search: bots, users, tournaments, a match by its number, documents and codes."""

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

MAX_RESULTS = 10
MAX_DIGITS = 12


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Show the results for a query, the most specific kinds first."""
    query = clean(request.GET.get("q", ""))
    results = find(query) if query else {}
    context = {"query": query, "results": results, "nothing": query and not any(results.values())}
    return render(request, "pages/search.html", context)


def find(query: str) -> dict[str, Any]:
    """Return the results by kind. Nothing here reads more than a few rows."""
    users = User.objects.filter(username__icontains=query, deleted_at=None, is_active=True)
    return {
        "codes": [message(query.upper())] if query.upper() in CODES else [],
        "matches": _match(query),
        "bots": list(_bots(query)[:MAX_RESULTS]),
        "users": list(users.order_by("username")[:MAX_RESULTS]),
        "tournaments": list(_tournaments(query)[:MAX_RESULTS]),
        "docs": library.search(query, MAX_RESULTS),
    }


def _tournaments(query: str) -> QuerySet[Tournament]:
    """Return tournaments, latest first: recurring ones have many with similar names."""
    return Tournament.objects.public().filter(name__icontains=query).order_by("-starts_at")


def _bots(query: str) -> QuerySet[Bot]:
    return Bot.objects.public().filter(name__icontains=query).select_related("owner")


def _match(query: str) -> list[Match]:
    """Find a match by its number, which may be written as 48,211 or #48211."""
    digits = query.lstrip("#").replace(",", "")
    if not digits.isdecimal() or len(digits) > MAX_DIGITS:
        return []
    return list(Match.objects.public().filter(pk=int(digits)).prefetch_related("seats__bot"))
