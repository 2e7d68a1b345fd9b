"""The dashboard of a signed-in user."""

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import F, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from engine.registry import GAMES
from league.accounts.models import User
from league.bots import services as bots
from league.bots.bundles import quota
from league.bots.models import Bot, BotVersion
from league.ladder import current_ratings
from league.ladder.services import PROVISIONAL
from league.matches import queries as matches
from league.matches.models import Fault, Seat
from league.pages import sdk
from league.tournaments.models import Entry
from league.tournaments.queries import lists as tournaments

FAULTS = 8
UPLOADS = 10
ENTRIES = 10
BUNDLES = 5
ORGANISED = 5
_WATCHED = "watched_a_loss"


@dataclass(frozen=True, slots=True)
class Step:
    """A first step for new authors. `done` is None if the site cannot know."""

    title: str
    done: bool | None
    link: str = ""
    command: str = ""
    hint: str = ""


@login_required
def me(request: HttpRequest) -> HttpResponse:
    """Show the user's bots, uploads, faults, tournaments and remaining quotas."""
    user = _user(request)
    mine = list(user.bots.select_related("active"))
    context = {
        "bots": current_ratings.of_bots(mine),
        "games": list(GAMES),
        "placement": PROVISIONAL,
        "faults": _faults(mine),
        "uploads": _uploads(user),
        "entries": tournaments.entries_by(user)[:ENTRIES],
        "organised": tournaments.organised_by(user).not_over()[:ORGANISED],
        "space": quota.usage(user),
        "bundles": _largest_bundles(user),
        "uploads_left": bots.uploads_left(user),
        "challenges_left": matches.challenges_left(user),
        "steps": [] if user.steps_hidden else _steps(request, mine),
        "requirement": sdk.requirement(settings.SITE_URL),
        "section": "me",
    }
    return render(request, "accounts/me.html", context)


@login_required
def lost_match(request: HttpRequest) -> HttpResponse:
    """Redirect to the latest match that one of the user's bots did not win."""
    lost = _lost(list(_user(request).bots.all()))
    if lost is None:
        return redirect("accounts:me")
    request.session[_WATCHED] = True
    return redirect(lost.match)


@login_required
@require_POST
def hide_steps(request: HttpRequest) -> HttpResponse:
    """Hide the list of first steps for good."""
    User.objects.filter(pk=_user(request).pk).update(steps_hidden=True)
    return redirect("accounts:me")


def _faults(mine: list[Bot]) -> QuerySet[Fault]:
    """Return the latest faults of active versions."""
    active = [bot.active_id for bot in mine if bot.active_id]
    return (
        Fault.objects.public()
        .filter(version__in=active)
        .select_related("version__bot", "seat__match")
        .order_by("-pk")[:FAULTS]
    )


def _uploads(user: User) -> QuerySet[BotVersion]:
    """Return uploads in progress, and rejected ones without a newer upload."""
    status = BotVersion.Status
    not_done = Q(status__in=[status.WAITING, status.CHECKING, status.STUCK])
    superseded = BotVersion.objects.filter(bot__owner=user, status=status.REJECTED).filter(
        bot__versions__number__gt=F("number")
    )
    rejected = Q(status=status.REJECTED) & ~Q(pk__in=superseded.values("pk"))
    uploads = BotVersion.objects.filter(not_done | rejected, bot__owner=user)
    return uploads.select_related("bot").defer("steps").order_by("-created_at")[:UPLOADS]


def _largest_bundles(user: User) -> QuerySet[BotVersion]:
    """Return the versions with the most bytes in files."""
    bundles = BotVersion.objects.filter(bot__owner=user, source__bundle=True)
    sized = bundles.select_related("bot").defer("steps")
    return sized.annotate(size=Sum("source__files__blob__size")).order_by("-size", "-pk")[:BUNDLES]


def _steps(request: HttpRequest, mine: list[Bot]) -> list[Step]:
    uploaded = bool(mine)
    again = BotVersion.objects.filter(bot__in=mine, number__gt=1).order_by().first()
    bot = again.bot if again else mine[0] if mine else None
    lost = _lost(mine)
    steps = [Step("Upload a bot", uploaded, "" if uploaded else reverse("bots:new"))]
    if lost is not None or not uploaded:
        link = reverse("accounts:lost-match") if lost else ""
        steps.append(Step("Watch a lost match", bool(request.session.get(_WATCHED)), link))
    new = reverse("bots:new-version", args=[bot.slug]) if bot and not again else ""
    steps.append(Step("Upload a second version", again is not None, new))
    duel = "karat duel new.py old.py"
    steps.append(Step("Compare them", None, command=duel, hint="on your own machine"))
    entered = Entry.objects.filter(bot__in=mine).exclude(status=Entry.Status.WITHDRAWN).exists()
    tournaments = "" if entered else reverse("tournaments:index")
    steps.append(Step("Enter a tournament", entered, tournaments))
    return steps


def _lost(mine: list[Bot]) -> Seat | None:
    seats = Seat.objects.filter(bot__in=mine, place__gt=1, match__hidden=False)
    return seats.select_related("match").order_by("-finished_at").first()


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
