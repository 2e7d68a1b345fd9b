"""What crawlers read: the sitemap and robots.txt."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from bots_sdk import house
from engine.registry import GAMES
from league.accounts.models import User
from league.bots.models import Bot
from league.pages import library
from league.tournaments.models import Tournament

MAX_ADDRESSES = 20_000
FIXED_PAGES = (
    "pages:home",
    "bots:directory",
    "matches:list",
    "tournaments:index",
    "pages:docs",
    "pages:errors",
    "pages:status",
)
GAME_PAGES = ("pages:game", "pages:card-pictures", "ladder:leaderboard")


@require_safe
@cache_control(public=True, max_age=3600)
def sitemap(request: HttpRequest) -> HttpResponse:
    """List the addresses that search engines should index."""
    fixed = [reverse(name) for name in FIXED_PAGES]
    games = [reverse(name, args=[game]) for game in GAMES for name in GAME_PAGES]
    books = [book.url for book in library.pages().values()]
    books += [library.rules(game).url for game in GAMES]
    books += [
        reverse("pages:house-bot", args=[game, name])
        for game in GAMES
        for name in house.names(game)
    ]
    bot_slugs = Bot.objects.public().values_list("slug", flat=True)
    bots = [reverse("bots:bot", args=[slug]) for slug in bot_slugs]
    authors = User.objects.filter(deleted_at=None, bots__isnull=False).distinct()
    names = authors.values_list("username", flat=True)
    users = [reverse("accounts:user", args=[name]) for name in names]
    slugs = Tournament.objects.public().order_by("-starts_at").values_list("slug", flat=True)
    tournaments = [reverse("tournaments:detail", args=[slug]) for slug in slugs]
    addresses = dict.fromkeys([*fixed, *games, *books, *tournaments, *bots, *users])
    urls = [f"{settings.SITE_URL}{path}" for path in addresses][:MAX_ADDRESSES]
    return render(request, "pages/sitemap.xml", {"addresses": urls}, "application/xml")


@require_safe
@cache_control(public=True, max_age=3600)
def robots(_: HttpRequest) -> HttpResponse:
    """Tell crawlers what to leave out."""
    lines = [
        "User-agent: *",
        *(f"Disallow: /{part}/" for part in ("admin", "api", "me", "staff", "search", "accounts")),
        f"Sitemap: {settings.SITE_URL}/sitemap.xml",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain")
