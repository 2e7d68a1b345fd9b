"""The page of a recurring tournament, and its switch."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from league.errors import Refused
from league.tournaments.models import RecurringTournament
from league.tournaments.queries import lists
from league.tournaments.services import permissions, recurring as services
from league.tournaments.views.index import PAST_ROWS, with_podiums


@require_safe
def recurring(request: HttpRequest, slug: str) -> HttpResponse:
    """Show its next dates and who won the past ones."""
    row = get_object_or_404(RecurringTournament.objects.select_related("organiser"), slug=slug)
    past = lists.with_sizes(row.occurrences.public()).order_by("-planned_at")[:PAST_ROWS]
    context = {
        "section": "tournaments",
        "recurring": row,
        "dates": services.next_dates(row),
        "past": with_podiums(list(past)),
        "runs": permissions.may_run(row, request.user),
    }
    return render(request, "tournaments/recurring.html", context)


@login_required
@require_POST
def stop(request: HttpRequest, slug: str) -> HttpResponse:
    """Hold no further tournament."""
    row = _own(request, slug)
    services.stop(row)
    messages.success(request, f"{row} is stopped. Tournaments that are open take place.")
    return redirect(row)


@login_required
@require_POST
def resume(request: HttpRequest, slug: str) -> HttpResponse:
    """Hold tournaments again from the next date on."""
    row = _own(request, slug)
    try:
        services.resume(row)
        messages.success(request, f"{row} is held again from its next date on.")
    except Refused as refusal:
        messages.error(request, refusal.message.explanation)
    return redirect(row)


def _own(request: HttpRequest, slug: str) -> RecurringTournament:
    row = get_object_or_404(RecurringTournament, slug=slug)
    if not permissions.may_run(row, request.user):
        raise PermissionDenied
    return row
