"""The staff page: queue, workers, faults, benched versions, stuck checks, verifications."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from engine.registry import GAMES
from league.bots import checks, services as bots
from league.bots.models import BotVersion
from league.jobs import wake
from league.ladder.models import Ladder
from league.ladder.ratings import verification
from league.matches.models import Fault, Match
from league.pages.games import known_game
from league.workers.state import state
from runners.faults import message

LATELY = timedelta(hours=24)
MAX_ROWS = 50

View = Callable[..., HttpResponse]


def staff_only(view: View) -> View:
    """Restrict a view to staff: guests are sent to the sign-in page, others are refused."""

    @login_required
    def guarded(request: HttpRequest, **named: Any) -> HttpResponse:
        if not request.user.is_staff:
            raise PermissionDenied
        return view(request, **named)

    return guarded


@require_safe
@staff_only
def staff(request: HttpRequest) -> HttpResponse:
    """Show everything that may need attention, at a glance."""
    stuck = BotVersion.objects.filter(status=BotVersion.Status.STUCK).select_related("bot__owner")
    benched = BotVersion.objects.filter(benched_at__isnull=False).select_related("bot__owner")
    context = {
        "section": "staff",
        "state": state(),
        "faults": _faults(timezone.now() - LATELY),
        "benched": benched.filter(suspended_at=None).order_by("-benched_at")[:MAX_ROWS],
        "suspended": _suspended(),
        "stuck": stuck.order_by("created_at")[:MAX_ROWS],
        "ladders": [_ladder(ladder) for ladder in Ladder.objects.filter(game__in=GAMES)],
    }
    return render(request, "moderation/staff.html", context)


def _suspended() -> QuerySet[BotVersion]:
    suspended = BotVersion.objects.filter(suspended_at__isnull=False).defer("steps")
    return suspended.select_related("bot__owner").order_by("-suspended_at")[:MAX_ROWS]


def _faults(since: datetime) -> dict[str, Any]:
    """Return how often each fault occurred in public matches; a sudden rise suggests an error of
    the league. Metrics count sealed ones, too.
    """
    finished = Match.objects.public().filter(status=Match.Status.FINISHED)
    matches = finished.filter(finished_at__gte=since).count()
    counts = Fault.objects.public().filter(created_at__gte=since).order_by().values_list("code")
    rows = [
        {"message": message(code), "count": count, "share": count / matches if matches else None}
        for code, count in counts.annotate(count=Count("pk")).order_by("-count")
    ]
    return {"matches": matches, "rows": rows}


def _ladder(ladder: Ladder) -> dict[str, Any]:
    document = {
        name: datetime.fromisoformat(moment) if name.endswith("_at") else moment
        for name, moment in ladder.verification.items()
    }
    return {"game": ladder.game, "rated": ladder.rated, "verification": document}


def _confirm(request: HttpRequest, **context: Any) -> HttpResponse:
    return render(request, "pages/confirm.html", {"section": "staff", **context})


@require_http_methods(["GET", "HEAD", "POST"])
@staff_only
def unbench(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a benched version play again."""
    benched = BotVersion.objects.filter(benched_at__isnull=False, suspended_at=None)
    benched = benched.select_related("bot")
    version = get_object_or_404(benched, pk=pk)
    if request.method == "POST":
        bots.activate(version.bot, version.number)
        messages.success(request, f"{version} plays again.")
        return redirect("moderation:staff")
    return _confirm(
        request,
        title=f"Unbench {version}",
        consequence=f"{version} becomes the active version of its bot and plays from the next "
        f"match on. It was benched because: {version.benched_because}",
        action="Unbench",
    )


@require_http_methods(["GET", "HEAD", "POST"])
@staff_only
def check_again(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a stuck check new attempts."""
    stuck = BotVersion.objects.filter(status=BotVersion.Status.STUCK).select_related("bot")
    version = get_object_or_404(stuck, pk=pk)
    if request.method == "POST":
        checks.check_again(version)
        wake.workers()
        messages.success(request, f"{version} waits for its check.")
        return redirect("moderation:staff")
    return _confirm(
        request,
        title=f"Check {version} again",
        consequence="Its check gets three new attempts, at the end of the queue. "
        "The messages of its last attempt are discarded.",
        action="Check again",
    )


@require_http_methods(["GET", "HEAD", "POST"])
@staff_only
def verify(request: HttpRequest, game: str) -> HttpResponse:
    """Request a dry run that recomputes all ratings of a ladder without changing any."""
    known_game(game)
    if request.method == "POST":
        verification.ask(game)
        messages.success(request, "The control process is verifying the ratings.")
        return redirect("moderation:staff")
    ladder = get_object_or_404(Ladder, game=game)
    return _confirm(
        request,
        title=f"Verify the ratings of {GAMES[game].name}",
        consequence=f"Recomputes all {ladder.rated:,} rated matches and compares every digit. "
        "Nothing is changed. New results of this ladder are rated once it has finished.",
        action="Start the dry run",
    )
