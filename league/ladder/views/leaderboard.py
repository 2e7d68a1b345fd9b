"""The leaderboard of a game as a page, a live fragment and files."""

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache, partial
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from engine.registry import GAMES
from league.ladder import board
from league.ladder.board import Line, Revision
from league.ladder.matchmaking.settled import overlaps
from league.ladder.services import PROVISIONAL
from league.matches.models import Match
from league.pages.games import known_game
from league.pages.templatetags.karat import THIN_SPACE
from league.web import drawings
from league.web.filters import Filters
from league.web.guest_pages import same_for_guests

ROWS = 50
MAX_TABLES = 64
"""How many pages of leaderboards a process keeps, 80 KB each."""
FILTERS = ("house", "provisional", "benched", "author", "seats", "sort", "page")
_LAST = float("inf")

SORTS: dict[str, Callable[[Line], Any]] = {
    "rank": lambda line: line.rank or _LAST,
    "change": lambda line: _or_last(line.climbed),
    "bot": lambda line: line.name.casefold(),
    "rating": lambda line: -line.strength.shown,
    "first": lambda line: _or_last(line.tables.first_share),
    "faults": lambda line: _or_last(line.tables.fault_share),
}
"""By the head of a column: the order in which a first click shows it."""
_FROM_HIGHEST = frozenset({"change", "rating", "first", "faults"})
COLUMNS = (
    ("rank", "#", "number"),
    ("change", "7 d", "number extra"),
    ("bot", "Bot", ""),
    ("rating", "Rating", "number"),
    (None, "95 % range", ""),
    (None, "30 d", "extra"),
    ("first", "1st", "extra"),
    ("faults", "Faults", "number extra"),
)


def _or_last(value: float | None) -> float:
    """Return a key that sorts the highest first and unknown values last."""
    return _LAST if value is None else -value


@dataclass(frozen=True, slots=True)
class Board:
    """The filters and order of a request, and the lines that match them."""

    filters: Filters
    house: bool
    provisional: bool
    benched: bool
    author: str
    seats: int | None
    sort: str
    backwards: bool
    page: int

    @classmethod
    def from_request(cls, request: HttpRequest, game: str) -> "Board":
        """Read the filters and the order from the address."""
        filters = Filters(request.GET, FILTERS)
        sorts = [*SORTS, *(f"-{name}" for name in SORTS)]
        seats = filters.choice("seats", [str(seats) for seats in GAMES[game].seats], "")
        sort = filters.choice("sort", sorts, "rank")
        return cls(
            filters,
            house=filters.yes("house", default=True),
            provisional=filters.yes("provisional", default=True),
            benched=filters.yes("benched", default=False),
            author=filters.text("author"),
            seats=int(seats) if seats else None,
            sort=sort.removeprefix("-"),
            backwards=sort.startswith("-"),
            page=filters.page(),
        )

    def lines(self, at: Revision) -> list[Line]:
        """Return the lines that match, in the requested order."""
        if self.author or self.sort == "bot":
            # Names decide which lines there are, and they can change without a new revision.
            lines = board.lines(at.game, seats=self.seats)
        else:
            lines = list(board.lines_of(at, self.seats))
        if self.benched:
            lines += board.benched(at.game, seats=self.seats)
        key = SORTS[self.sort]
        selected = [line for line in lines if self._shows(line)]
        sortable = [line for line in selected if key(line) != _LAST]
        unsortable = [line for line in selected if key(line) == _LAST]
        return sorted(sortable, key=key, reverse=self.backwards) + unsortable

    @property
    def is_by_rank(self) -> bool:
        """Return whether the best come first."""
        return self.sort == "rank" and not self.backwards

    def heads(self) -> list[dict[str, str]]:
        """Return the heads of the columns: the order that a click requests, and the current one."""
        return [
            {"label": label, "class": css, **(self._order(sort) if sort else {})}
            for sort, label, css in COLUMNS
        ]

    def _order(self, sort: str) -> dict[str, str]:
        if sort != self.sort:
            return {"sort": sort}
        downwards = (sort in _FROM_HIGHEST) != self.backwards
        return {
            "sort": sort if self.backwards else f"-{sort}",
            "aria": "descending" if downwards else "ascending",
        }

    def _shows(self, line: Line) -> bool:
        if line.owner is None and not self.house:
            return False
        if line.provisional and not line.benched and not self.provisional:
            return False
        return not self.author or self.author.casefold() in (line.owner or "house").casefold()


@dataclass(frozen=True, slots=True)
class Row:
    """A line as it is drawn."""

    line: Line
    age: str
    """Of its version, in whole days: a live part must not change with every second."""
    mine: bool
    bracket: str
    """`opens`, `within` or `closes`: where it stands in a run whose order is not settled."""
    note: str
    begins_placing: bool
    """Whether it is the first of those that have no rank yet."""
    interval: drawings.Interval
    spark: str
    bar: float
    chance: float


@require_safe
@same_for_guests
def leaderboard(request: HttpRequest, game: str) -> HttpResponse:
    """Show the page; for htmx only the live part."""
    known_game(game)
    requested = Board.from_request(request, game)
    revision = board.revision(game)
    lines = requested.lines(revision)
    page = Paginator(lines, ROWS).get_page(requested.page)
    shown = board.with_current_names(page.object_list)
    own = [line for line in lines if _is_own(line, request)]
    own_here = frozenset(line.bot for line in shown if _is_own(line, request))
    table = _table(revision, shown, requested.is_by_rank, own_here)
    context = {
        "section": "leaderboards",
        "game": GAMES[game],
        "games": list(GAMES.values()),
        "board": requested,
        "page": page,
        "lines": shown,
        "rows": table.rows,
        "table": table.html,
        "heads": requested.heads(),
        "own": own[0] if own else None,
        "own_page": lines.index(own[0]) // ROWS + 1 if own else None,
        "enough": PROVISIONAL,
        "rated": revision.rated,
        "last": Match.objects.finished()
        .public()
        .filter(game=game)
        .values_list("finished_at", flat=True)
        .first(),
    }
    template = "ladder/_leaderboard.html" if request.htmx else "ladder/leaderboard.html"  # type: ignore[attr-defined]
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _is_own(line: Line, request: HttpRequest) -> bool:
    return line.owner_id is not None and line.owner_id == request.user.pk


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a page and their HTML."""

    rows: list[Row]
    html: SafeString


@lru_cache(maxsize=MAX_TABLES)
def _table(at: Revision, lines: tuple[Line, ...], by_rank: bool, own: frozenset[int]) -> Table:
    """Return the rows of a page, rendered once for all who see the same."""
    rows = _rows(at, lines, by_rank=by_rank, own=own)
    context = {"rows": rows, "enough": PROVISIONAL}
    return Table(rows, render_to_string("ladder/_rows.html", context))


def _rows(at: Revision, lines: Sequence[Line], *, by_rank: bool, own: frozenset[int]) -> list[Row]:
    axis = drawings.Axis.over(
        [line.strength for line in lines if not line.provisional],
        [line.strength for line in lines if line.provisional],
    )
    curves = board.curves(at.game, [line.bot for line in lines])
    spark = partial(drawings.spark, first=at.day - timedelta(days=board.CURVE_DAYS), last=at.day)
    brackets = _brackets([line for line in lines if line.rank]) if by_rank else {}
    placing = [line.bot for line in lines if line.provisional and not line.benched]
    first_placing = placing[0] if by_rank and placing else None
    return [
        Row(
            line,
            _age(line, at.day),
            line.bot in own,
            *brackets.get(line.bot, ("", "")),
            line.bot == first_placing,
            drawings.interval(axis, line.strength),
            spark(curves.get(line.bot, [])),
            drawings.bar(line.tables.first_share),
            drawings.bar(line.tables.chance),
        )
        for line in lines
    ]


def _age(line: Line, today: date) -> str:
    if line.active_since is None:
        return ""
    days = (today - line.active_since.date()).days
    return f"{days}{THIN_SPACE}d" if days else "today"


def _brackets(ranked: Sequence[Line]) -> dict[int, tuple[str, str]]:
    """Return, for each bot in a run of unsure order, its part of the bracket and the note."""
    brackets = {}
    for run in overlaps([line.strength for line in ranked]):
        for at in run:
            part = "opens" if at == run.start else "closes" if at == run.stop - 1 else "within"
            note = ""
            if part == "closes":
                note = f"ranks {ranked[run.start].rank}–{ranked[at].rank} overlap"
            brackets[ranked[at].bot] = part, note
    return brackets


_FIELDS = (
    *("rank", "bot", "name", "owner", "version", "rating", "margin", "mu", "sigma", "matches"),
    *("first_share", "chance_share", "fault_share", "provisional", "benched"),
)


def _values(line: Line) -> tuple[Any, ...]:
    strength, tables = line.strength, line.tables
    return (
        *(line.rank, line.slug, line.name, line.owner, line.version),
        *(round(strength.shown), round(strength.margin), strength.mu, strength.sigma),
        *(line.matches, tables.first_share, tables.chance, tables.fault_share),
        *(line.provisional, line.benched),
    )


def _all_lines(request: HttpRequest, game: str) -> tuple[Line, ...]:
    """Return the lines of all pages."""
    requested = Board.from_request(request, game)
    return board.with_current_names(requested.lines(board.revision(game)))


@require_safe
def as_csv(request: HttpRequest, game: str) -> HttpResponse:
    """Send all matching lines as a table for other programs."""
    known_game(game)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{game}.csv"'
    writer = csv.writer(response)
    writer.writerow(_FIELDS)
    writer.writerows(_values(line) for line in _all_lines(request, game))
    return response


@require_safe
def as_json(request: HttpRequest, game: str) -> HttpResponse:
    """Send all matching lines as JSON."""
    known_game(game)
    rows = [dict(zip(_FIELDS, _values(line), strict=True)) for line in _all_lines(request, game)]
    return JsonResponse({"game": game, "bots": rows})
