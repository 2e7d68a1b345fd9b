"""Atom feeds of finished matches: those of a bot, and those of a game."""

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.feedgenerator import Atom1Feed

from engine.game import Game
from engine.registry import GAMES
from league.bots.models import Bot
from league.matches.models import Match, Seat
from league.pages.games import known_game
from league.pages.templatetags.karat import game_name, players, thousands

if TYPE_CHECKING:
    # The object is a game in one feed and a bot in the other.
    MatchFeed = Feed[Match, Any]
else:
    # Django's own class takes no type parameters at run time.
    MatchFeed = Feed

MAX_ENTRIES = 30


class _Matches(MatchFeed):
    """Finished matches, the latest first."""

    feed_type = Atom1Feed

    def get_feed(self, obj: Any, request: HttpRequest) -> Any:
        """Set the address of the feed: Django would ask its sites app for it."""
        feed = super().get_feed(obj, request)
        feed.feed["feed_url"] = f"{settings.SITE_URL}{request.path}"
        return feed

    def item_title(self, item: Match) -> str:
        """Return who played: like any shared link, an entry does not tell the result."""
        return f"Match {thousands(item.pk)}: {players(item.seats.all())}"

    def item_description(self, item: Match) -> str:
        """Return the game and the number of seats."""
        return f"{game_name(item.game)} with {item.seat_count} seats. Watch how it ends."

    def item_link(self, item: Match) -> str:
        """Return the address of the match."""
        return f"{settings.SITE_URL}{item.get_absolute_url()}"

    def item_pubdate(self, item: Match) -> Any:
        """Return when it finished."""
        return item.finished_at

    def item_updateddate(self, item: Match) -> Any:
        """Return when it finished: records never change."""
        return item.finished_at


def _with_bots(matches: QuerySet[Match]) -> QuerySet[Match]:
    return matches.prefetch_related("seats__bot")


class GameFeed(_Matches):
    """The matches of a game."""

    def get_object(self, _: HttpRequest, game: str) -> Game:
        """Return the game."""
        known_game(game)
        return GAMES[game]

    def title(self, obj: Game) -> str:
        """Return the title of the feed."""
        return f"{obj.name} – matches – Karat"

    def link(self, obj: Game) -> str:
        """Return the address of the game."""
        return f"{settings.SITE_URL}/g/{obj.slug}/"

    def items(self, obj: Game) -> QuerySet[Match]:
        """Return the latest matches."""
        return _with_bots(Match.objects.finished().public().filter(game=obj.slug))[:MAX_ENTRIES]


class BotFeed(_Matches):
    """The matches of a bot."""

    def get_object(self, _: HttpRequest, slug: str) -> Bot:
        """Return the bot."""
        return get_object_or_404(Bot.objects.public(), slug=slug)

    def title(self, obj: Bot) -> str:
        """Return the title of the feed."""
        return f"{obj.name} – matches – Karat"

    def link(self, obj: Bot) -> str:
        """Return the address of the bot."""
        return f"{settings.SITE_URL}{obj.get_absolute_url()}"

    def items(self, obj: Bot) -> list[Match]:
        """Return the latest matches, by the seats of the bot."""
        seats = Seat.objects.filter(bot=obj, finished_at__isnull=False, match__hidden=False)
        latest = seats.order_by("-finished_at", "-match").values_list("match", flat=True)[
            :MAX_ENTRIES
        ]
        return list(_with_bots(Match.objects.finished().filter(pk__in=list(latest))))
