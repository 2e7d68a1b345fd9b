"""The list of matches."""

from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from engine.registry import GAMES
from league.bots.models import Bot
from league.matches.models import Fault, Match, Seat
from league.pages.templatetags.karat import ago
from league.web import keyset
from league.web.filters import Filters
from league.web.fragments import fragment
from league.web.guest_pages import same_for_guests
from runners.faults import CODES

ROWS = 30
FAULTS = tuple(code for code in CODES if code.startswith("E"))
SORTS = {"latest": "finished_at", "excitement": "excitement"}
_SEATS = Seat.objects.select_related("bot").only(
    *("match", "number", "place", "score", "faulty", "bot__slug", "bot__name")
)
_SHOWN = ("pk", "game", "seat_count", "kind", "finished_at", "excitement")


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat as the list shows it."""

    letter: str
    place: int | None
    slug: str
    name: str
    score: int | None
    faulty: bool


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match as the list shows it."""

    pk: int
    game: str
    seat_count: int
    kind: str
    seats: tuple[SeatLine, ...]
    """In their order at the table, which says nothing of the result."""

    @property
    def placed(self) -> list[SeatLine]:
        """Return the seats in the order of their places."""
        return sorted(self.seats, key=lambda seat: (seat.place is None, seat.place))


@require_safe
@same_for_guests
def matches(request: HttpRequest) -> HttpResponse:
    """Show the latest or the most exciting matches; for htmx only the table."""
    filters = Filters(request.GET, ("game", "kind", "bot", "fault", "sort", "after"))
    selection = {
        "game": filters.choice("game", GAMES, ""),
        "kind": filters.choice("kind", Match.Kind.values, ""),
        "fault": filters.choice("fault", ("any", *FAULTS), ""),
        "sort": filters.choice("sort", SORTS, "latest"),
    }
    name = filters.text("bot")
    bot = Bot.objects.filter(slug=name.lower().replace(" ", "-")).first() if name else None
    if bot:
        query = request.GET.copy()
        query.pop("bot")
        return redirect(f"{bot.get_absolute_url()}matches/?{query.urlencode()}")
    by = SORTS[selection["sort"]]
    page = keyset.page(_matches(selection), by, "pk", filters.text("after"), ROWS)
    context = {
        "section": "matches",
        "rows": [_row(match) for match in page.rows],
        "after_key": page.after_key,
        "asked": selection,
        "unknown_bot": name,
        "removed": filters.removed,
        "games": list(GAMES.values()),
        "kinds": Match.Kind.values,
        "codes": FAULTS,
        "live": selection["sort"] == "latest" and not filters.text("after"),
        "filtered": any(selection[name] for name in ("game", "kind", "fault")),
    }
    template = "matches/_matches.html" if request.htmx else "matches/matches.html"  # type: ignore[attr-defined]
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _row(match: Match) -> SafeString:
    """Return a row of the table. How long ago it was changes by itself, so it is a value."""
    line = MatchLine(
        match.pk,
        match.game,
        match.seat_count,
        match.kind,
        tuple(
            SeatLine(seat.letter, seat.place, seat.bot.slug, seat.bot.name, seat.score, seat.faulty)
            for seat in match.seats.all()
        ),
    )
    return fragment("matches/_match_row.html", match=line, when=ago(match.finished_at))


def _matches(selection: dict[str, str]) -> QuerySet[Match]:
    matches = (
        Match.objects.filter(status=Match.Status.FINISHED)
        .public()
        .only(*_SHOWN)
        .prefetch_related(Prefetch("seats", _SEATS))
    )
    if selection["game"]:
        matches = matches.filter(game=selection["game"])
    if selection["kind"]:
        matches = matches.filter(kind=selection["kind"])
    if selection["fault"]:
        faults = Fault.objects.order_by()
        if selection["fault"] != "any":
            faults = faults.filter(code=selection["fault"])
        matches = matches.filter(pk__in=faults.values("seat__match"))
    return matches
