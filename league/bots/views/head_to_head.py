"""The page of two bots: how often one finished ahead of the other, and their latest matches."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from engine.registry import GAMES, presentation_of
from league.accounts.models import User
from league.accounts.quota_day import until_tomorrow
from league.bots.models import Bot
from league.bots.views import seat_rows
from league.bots.views.overview import find
from league.errors import Refused
from league.matches import challenges, queries
from league.matches.models import Seat
from league.matches.statistics import meetings
from league.matches.statistics.meetings import HeadToHead, Sizes
from league.pages import errors

LATEST_ROWS = 20
MARGIN_SAMPLE = 200
BARS = 9
BAR_HEIGHT = 80


@dataclass(frozen=True, slots=True)
class InGame:
    """How the first did against the second in one game."""

    game: str
    altogether: HeadToHead
    sizes: Sizes
    margins: "Margins | None"


@dataclass(frozen=True, slots=True)
class Bar:
    """Of a histogram."""

    number: int
    label: str
    count: int
    height: float
    y: float


@dataclass(frozen=True, slots=True)
class Margins:
    """By how much the scores of the two differed in their latest matches."""

    bars: list[Bar]
    of: int


@require_safe
def pair(request: HttpRequest, slug: str, other: str) -> HttpResponse:
    """Show who beats whom."""
    return render(request, "bots/pair.html", _pair(request, *_two(request, slug, other)))


@require_POST
@login_required
def queue(request: HttpRequest, slug: str, other: str) -> HttpResponse:
    """Queue matches between them, within the quota of the user."""
    assert isinstance(request.user, User)
    one, two = _two(request, slug, other)
    try:
        matches = challenges.meet(request.user, request.POST.get("game", ""), one, two)
    except Refused as refusal:
        return errors.refused(request, refusal)
    text = "1 match is" if len(matches) == 1 else f"{len(matches)} matches are"
    messages.success(request, f"{text} queued, not rated.")
    return redirect("bots:head-to-head", one.slug, two.slug)


def _two(request: HttpRequest, slug: str, other: str) -> tuple[Bot, Bot]:
    if slug == other:
        raise Http404("A bot does not meet itself.")
    return find(request, slug), find(request, other)


def _pair(request: HttpRequest, one: Bot, other: Bot) -> dict[str, Any]:
    met = meetings.between(one, other)
    latest = seat_rows.fetch(
        seat_rows.of_bot(one).filter(match__in=_latest(_common(one, other), LATEST_ROWS))
    ).order_by("-finished_at", "-match")
    both = [game for game in GAMES.values() if _plays(one, game.slug) and _plays(other, game.slug)]
    return {
        "section": "bots",
        "one": one,
        "other": other,
        "games": [
            InGame(game, meetings.altogether(sizes), sizes, _margins(one, other, game))
            for game, sizes in met.items()
        ],
        "enough": meetings.ENOUGH,
        "rows": seat_rows.rows(list(latest)),
        "both": both,
        "at_once": challenges.MAX_MATCHES,
        **_quota(request),
    }


def _common(one: Bot, other: Bot) -> QuerySet[Seat]:
    """Return the seats of one in public matches with the other."""
    return seat_rows.of_bot(one).filter(match__in=Seat.objects.filter(bot=other).values("match"))


def _latest(seats: QuerySet[Seat], count: int) -> list[int]:
    """Return the keys of the latest matches of these seats."""
    return list(seats.order_by("-finished_at", "-match").values_list("match", flat=True)[:count])


def _plays(bot: Bot, game: str) -> bool:
    return bot.active is not None and game in bot.active.games


def _quota(request: HttpRequest) -> dict[str, Any]:
    if not request.user.is_authenticated:
        return {}
    assert isinstance(request.user, User)
    left = queries.challenges_left(request.user)
    return {
        "left": left,
        "count": min(left, challenges.MAX_MATCHES),
        "when": until_tomorrow(),
    }


def _margins(one: Bot, other: Bot, game: str) -> Margins | None:
    """Return the margins of their latest matches, if margins of the game say something."""
    if not presentation_of(game).has_margins:
        return None
    both = Seat.objects.filter(bot__in=[one, other], game=game, finished_at__isnull=False)
    # The game of the match, not of the seat: then the index of seats is all that is read of them.
    matches = _latest(_common(one, other).filter(match__game=game), MARGIN_SAMPLE)
    scores: dict[int, dict[int, int]] = {}
    for match, bot, score in both.filter(match__in=matches).values_list("match", "bot", "score"):
        scores.setdefault(match, {})[bot] = score or 0
    return histogram([pair[one.pk] - pair[other.pk] for pair in scores.values()])


def histogram(margins: Sequence[int]) -> Margins | None:
    """Return an odd number of bars of equal width around zero."""
    if not margins:
        return None
    reach = max(1, *(abs(margin) for margin in margins))
    width = max(1, -(-(2 * reach + 1) // BARS))
    counted = Counter(round(margin / width) for margin in margins)
    half = BARS // 2
    most = max(counted.values())
    bars = []
    for number in range(-half, half + 1):
        count = counted[number]
        height = round(count / most * BAR_HEIGHT, 1)
        label = f"{number * width:+d}".replace("-", "\u2212") if number else "0"
        bars.append(Bar(number + half, label, count, height, BAR_HEIGHT - height))
    return Margins(bars, len(margins))
