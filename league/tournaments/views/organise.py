"""Everything that a user organises."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.accounts.models import User
from league.tournaments import presets
from league.tournaments.models import RecurringTournament
from league.tournaments.queries import lists
from league.tournaments.services.recurring import next_dates

MAX_ROWS = 100


@login_required
@require_safe
def organise(request: HttpRequest) -> HttpResponse:
    """Show the tournaments and recurring tournaments of a user, and templates to start from."""
    user = request.user
    assert isinstance(user, User)
    own = RecurringTournament.objects.all() if user.is_staff else user.recurring_tournaments.all()
    context = {
        "section": "tournaments",
        "tournaments": lists.with_sizes(lists.organised_by(user))[:MAX_ROWS],
        "recurring_tournaments": [
            (recurring, next_dates(recurring, 1)) for recurring in own.order_by("name")
        ],
        "presets": presets.presets(),
    }
    return render(request, "tournaments/organise.html", context)
