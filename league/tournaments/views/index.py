"""The list of all tournaments."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from league.tournaments.models import Entry, Tournament
from league.tournaments.queries import lists
from league.tournaments.services.recurring import next_dates
from league.web.guest_pages import same_for_guests
from league.web.htmx import HtmxRequest, render_live

PAST_ROWS = 20


@require_safe
@same_for_guests
def index(request: HtmxRequest) -> HttpResponse:
    """Show what is played now, what comes next, and what is over."""
    past = Paginator(lists.with_sizes(Tournament.objects.past()), PAST_ROWS).get_page(
        request.GET.get("page")
    )
    context = {
        "section": "tournaments",
        "live": lists.live(),
        "coming": lists.with_sizes(Tournament.objects.coming()),
        "recurring_tournaments": [
            (recurring, next_dates(recurring, 1)) for recurring in lists.running_recurring()
        ],
        "page": past,
        "past": with_podiums(list(past.object_list)),
    }
    return render_live(request, "tournaments/index.html", "tournaments/_index.html", context)


def with_podiums(tournaments: list[Tournament]) -> list[tuple[Tournament, list[Entry]]]:
    """Return each tournament with its first three."""
    podiums = lists.podiums_of(tournaments)
    return [(tournament, podiums.get(tournament.pk, [])) for tournament in tournaments]
