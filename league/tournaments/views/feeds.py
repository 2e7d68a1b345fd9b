"""The Atom feed of all tournaments, and calendars."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe

from engine.registry import GAMES
from league.tournaments.models import Tournament
from league.tournaments.queries import lists
from league.tournaments.queries.calibration import pace
from league.tournaments.queries.standing import Standing
from league.tournaments.services.recurring import next_dates
from league.tournaments.views.icalendar import MEDIA_TYPE, Event, calendar
from league.tournaments.views.page import find_tournament
from league.web.generics import Feed

FEED_ROWS = 30
COMING_ROWS = 50
MIN_DURATION = timedelta(minutes=5)


class Tournaments(Feed[Tournament, None]):
    """Tournaments that opened, began or ended."""

    feed_type = Atom1Feed
    title = "Tournaments – Karat"
    link = f"{settings.SITE_URL}/tournaments/"

    def get_feed(self, obj: Any, request: HttpRequest) -> Any:
        """Set the address of the feed, for which Django would ask its sites app."""
        feed = super().get_feed(obj, request)
        feed.feed["feed_url"] = f"{settings.SITE_URL}{request.path}"
        return feed

    def items(self) -> QuerySet[Tournament]:
        """Return the latest."""
        return lists.with_sizes(Tournament.objects.public()).order_by("-created_at")[:FEED_ROWS]

    def item_title(self, item: Tournament) -> str:
        """Return its name and state."""
        return f"{item.name}: {item.state}"

    def item_description(self, item: Tournament) -> str:
        """Return its game, size, start and description."""
        size = getattr(item, "size", 0)
        starts_at = item.starts_at.strftime("%d %b %Y, %H:%M UTC")
        return f"{GAMES[item.game].name}, {size} bots, start {starts_at}. {item.about}".strip()

    def item_link(self, item: Tournament) -> str:
        """Return the address of its page."""
        return f"{settings.SITE_URL}{item.get_absolute_url()}"

    def item_guid(self, item: Tournament) -> str:
        """Return an id for each state: a new state is a new item."""
        return f"{self.item_link(item)}#{item.state}"

    def item_pubdate(self, item: Tournament) -> datetime:
        """Return when it was created."""
        return item.created_at

    def item_updateddate(self, item: Tournament) -> datetime:
        """Return when it last changed its state."""
        return item.finished_at or item.started_at or item.created_at


@require_safe
def one_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the calendar of a tournament, with the next dates if it recurs."""
    tournament = find_tournament(request, slug)
    events = [_event(tournament)]
    recurring, duration = tournament.recurring, events[0].duration
    if recurring:
        url = f"{settings.SITE_URL}{recurring.get_absolute_url()}"
        events += [
            Event(
                f"recurring-{recurring.pk}-{at:%Y%m%dT%H%M}@karat",
                recurring.name,
                recurring.about,
                url,
                at,
                duration,
            )
            for at in next_dates(recurring)
            if at != tournament.starts_at
        ]
    return _response(tournament.name, slug, events)


@require_safe
def calendar_of_all(_: HttpRequest) -> HttpResponse:
    """Return the calendar of all tournaments that are open or played."""
    coming = [*Tournament.objects.live(), *Tournament.objects.coming()[:COMING_ROWS]]
    return _response("Karat tournaments", "tournaments", [_event(one) for one in coming])


def _event(tournament: Tournament) -> Event:
    return Event(
        uid=f"tournament-{tournament.pk}@karat",
        title=tournament.name,
        about=tournament.about or GAMES[tournament.game].name,
        url=f"{settings.SITE_URL}{tournament.get_absolute_url()}",
        at=tournament.starts_at,
        duration=_duration(tournament),
        cancelled=tournament.state == Tournament.State.CANCELLED,
    )


def _duration(tournament: Tournament) -> timedelta:
    """Return how long it took, or is expected to take."""
    if tournament.started_at and tournament.finished_at:
        return max(MIN_DURATION, tournament.finished_at - tournament.started_at)
    standing = Standing(tournament)
    current_pace = pace(tournament.game, standing.config.seats, tournament.organiser)
    expected = current_pace.seconds(standing.games_left) or 0
    return max(MIN_DURATION, timedelta(seconds=expected))


def _response(name: str, file_stem: str, events: list[Event]) -> HttpResponse:
    response = HttpResponse(calendar(name, events, timezone.now()), content_type=MEDIA_TYPE)
    response["Content-Disposition"] = f'attachment; filename="{file_stem}.ics"'
    return response
