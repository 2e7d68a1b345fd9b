"""What other programs follow: the Atom feed of all tournaments, and calendars."""

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
from league.tournaments.queries import progress
from league.tournaments.queries.calibration import pace
from league.tournaments.queries.progress import Standing
from league.tournaments.services import recurring
from league.tournaments.views.icalendar import MEDIA_TYPE, Event, calendar
from league.tournaments.views.public import find
from league.web.generics import Feed

NEWS = 30
COMING = 50
_SHORTEST = timedelta(minutes=5)


class Tournaments(Feed[Tournament, None]):
    """Tournaments that opened, began or ended."""

    feed_type = Atom1Feed
    title = "Tournaments – Karat"
    link = f"{settings.SITE_URL}/tournaments/"

    def get_feed(self, obj: Any, request: HttpRequest) -> Any:
        """Django would ask its sites app for the address of this site."""
        feed = super().get_feed(obj, request)
        feed.feed["feed_url"] = f"{settings.SITE_URL}{request.path}"
        return feed

    def items(self) -> QuerySet[Tournament]:
        """The latest."""
        return progress.with_sizes(Tournament.objects.public()).order_by("-created_at")[:NEWS]

    def item_title(self, item: Tournament) -> str:
        """Its name and where it stands."""
        return f"{item.name}: {item.state}"

    def item_description(self, item: Tournament) -> str:
        """The game, the size, the start."""
        size = getattr(item, "size", 0)
        begins = item.starts_at.strftime("%d %b %Y, %H:%M UTC")
        return f"{GAMES[item.game].name}, {size} bots, start {begins}. {item.about}".strip()

    def item_link(self, item: Tournament) -> str:
        """Its page."""
        return f"{settings.SITE_URL}{item.get_absolute_url()}"

    def item_guid(self, item: Tournament) -> str:
        """A state is a piece of news of its own."""
        return f"{self.item_link(item)}#{item.state}"

    def item_pubdate(self, item: Tournament) -> datetime:
        """When it was made."""
        return item.created_at

    def item_updateddate(self, item: Tournament) -> datetime:
        """When it last changed its state."""
        return item.finished_at or item.started_at or item.created_at


@require_safe
def one_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """A tournament, and the next dates of the cup it belongs to."""
    tournament = find(request, slug)
    events = [_event(tournament)]
    cup, lasts = tournament.cup, events[0].lasts
    if cup:
        url = f"{settings.SITE_URL}{cup.get_absolute_url()}"
        events += [
            Event(f"cup-{cup.pk}-{at:%Y%m%dT%H%M}@karat", cup.name, cup.about, url, at, lasts)
            for at in recurring.next_dates(cup)
            if at != tournament.starts_at
        ]
    return _answer(tournament.name, slug, events)


@require_safe
def calendar_of_all(_: HttpRequest) -> HttpResponse:
    """Everything that is open or played."""
    coming = [*Tournament.objects.live(), *Tournament.objects.coming()[:COMING]]
    return _answer("Karat tournaments", "tournaments", [_event(one) for one in coming])


def _event(tournament: Tournament) -> Event:
    return Event(
        uid=f"tournament-{tournament.pk}@karat",
        title=tournament.name,
        about=tournament.about or GAMES[tournament.game].name,
        url=f"{settings.SITE_URL}{tournament.get_absolute_url()}",
        at=tournament.starts_at,
        lasts=_lasts(tournament),
        cancelled=tournament.state == Tournament.State.CANCELLED,
    )


def _lasts(tournament: Tournament) -> timedelta:
    """As long as it took, or as it is expected to take."""
    if tournament.started_at and tournament.finished_at:
        return max(_SHORTEST, tournament.finished_at - tournament.started_at)
    standing = Standing(tournament)
    now = pace(tournament.game, standing.config.seats, tournament.organiser)
    expected = now.seconds(standing.games_left) or 0
    return max(_SHORTEST, timedelta(seconds=expected))


def _answer(name: str, file: str, events: list[Event]) -> HttpResponse:
    response = HttpResponse(calendar(name, events, timezone.now()), content_type=MEDIA_TYPE)
    response["Content-Disposition"] = f'attachment; filename="{file}.ics"'
    return response
