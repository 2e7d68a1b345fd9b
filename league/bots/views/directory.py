"""The directory of bots."""

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine.registry import GAMES
from league.bots.models import Bot
from league.web.filters import Filters
from league.web.guest_pages import same_for_guests

ROWS = 50
STATUSES = {
    "playing": ("plays", Q(active__isnull=False)),
    "benched": ("benched", Q(active=None, retired_at=None, versions__benched_at__isnull=False)),
    "retired": ("retired", Q(retired_at__isnull=False)),
    "unaccepted": ("no accepted version yet", ~Q(versions__status="accepted")),
}


@require_safe
@same_for_guests
def directory(request: HttpRequest) -> HttpResponse:
    """List all bots by name."""
    filters = Filters(request.GET, ("q", "game", "author", "status", "page"))
    query, author = filters.text("q"), filters.text("author")
    game = filters.choice("game", GAMES, "")
    status = filters.choice("status", STATUSES, "")
    bots = _bots(request.user, query, game, author, status)
    page = Paginator(bots, ROWS).get_page(filters.page())
    context = {
        "section": "bots",
        "page": page,
        "games": list(GAMES.values()),
        "statuses": [(name, words) for name, (words, _) in STATUSES.items()],
        "removed": filters.removed,
        "chosen": {"q": query, "game": game, "author": author, "status": status},
    }
    return render(request, "bots/directory.html", context)


def _bots(user: object, query: str, game: str, author: str, status: str) -> QuerySet[Bot]:
    bots = Bot.objects.visible_to(user).select_related("owner", "active").defer("active__steps")
    bots = bots.prefetch_related("active__plays")
    if query:
        bots = bots.filter(name__icontains=query)
    if author:
        bots = bots.filter(owner__username__icontains=author, owner__deleted_at=None)
    if game:
        bots = bots.playing(game)
    if status:
        bots = bots.filter(STATUSES[status][1]).distinct()
    return bots
