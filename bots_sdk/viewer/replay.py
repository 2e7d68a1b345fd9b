"""A match as it is shown: its record, or the copy for one view, and what is told beside it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Required, TypedDict, Unpack
from urllib.parse import parse_qsl, urlencode, urlsplit

from bots_sdk.chances.values import NO_CHANCES, Chances
from bots_sdk.viewer import moments
from bots_sdk.viewer.chances import turning_marks
from engine.facets.presentation import Mark, Presentation
from engine.game import PUBLIC, SEAT_LETTERS, Seat
from engine.record.insight import NO_INSIGHT, MatchInsight, insight
from engine.record.reading import RecordError
from engine.record.recorder import Record
from engine.record.redact import redact
from engine.registry import GAMES, presentation_of

EVERYTHING = "everything"
PUBLIC_VIEW = "public"


@dataclass(frozen=True)
class Replay:
    """A match as the viewer shows it."""

    record: Record
    """The whole record, or a redacted copy."""
    insight: MatchInsight
    title: str
    """The game's name and whatever else stands above the table."""
    record_url: str
    page_url: str
    """Where this HTML is served; with `view` in the query, for that view."""
    view: str = EVERYTHING
    views: tuple[str, ...] = ()
    """The views a visitor may choose from; with none, there is no choice."""
    step: int | None = None
    """Where to begin; without JavaScript, the line to be marked."""
    drawers: tuple[tuple[str, str], ...] = ()
    """More to be opened below the charts: titles and HTML, such as receipts or a bot's log."""
    owner_log_url: str | None = None
    home_url: str | None = None
    embed: bool = False
    autoplay: bool = False
    chances: Chances = NO_CHANCES
    """Who was going to win, for those who see everything."""
    spoiler: str | None = None
    """What a page calls the result if it hides it until the end; with None, it is in the open."""

    def link(self, i: int) -> str:
        """Return the address of a step, relative to the page the viewer is on."""
        return f"{self.link_start}{i}"

    @cached_property
    def link_start(self) -> str:
        """All links but the number of the step: a log has hundreds of them."""
        page = urlsplit(self.page_url)
        query = [(name, value) for name, value in parse_qsl(page.query) if name != "view"]
        if self.view != EVERYTHING:
            query.append(("view", self.view))
        return f"?{urlencode([*query, ('step', '')])}"

    @cached_property
    def presentation(self) -> Presentation:
        """What the game says about itself."""
        return presentation_of(self.record["game"])

    @cached_property
    def scores(self) -> list[list[int]]:
        """The score so far of every seat after each step."""
        return self.presentation.scores(self.record)

    @cached_property
    def marks(self) -> list[Mark]:
        """The marks of the timeline."""
        remarks = self.insight["remarks"]
        own = moments.marks(self.record, remarks, self.presentation, self.scores)
        return sorted([*own, *turning_marks(self.chances)])


class ReplayOptions(TypedDict, total=False):
    """The fields of a `Replay` that do not follow from record and view."""

    record_url: Required[str]
    page_url: Required[str]
    step: int | None
    drawers: tuple[tuple[str, str], ...]
    owner_log_url: str | None
    home_url: str | None
    embed: bool
    autoplay: bool
    chances: Chances
    spoiler: str | None


def replay_of(
    record: Record,
    *,
    view: str = EVERYTHING,
    views: tuple[str, ...] = (),
    with_insight: bool = True,
    **options: Unpack[ReplayOptions],
) -> Replay:
    """Return what a view may see of a match.

    There is no choice of views for a match that cannot be played again here: its game is not
    installed, or its rules have changed.
    """
    beside = _insight(record, view) if with_insight else NO_INSIGHT
    if view != EVERYTHING:
        # They follow from what this view may not see.
        options["chances"] = NO_CHANCES
    return Replay(
        record=record_for(record, view),
        insight=beside,
        title=_title(record),
        view=view,
        views=() if beside is NO_INSIGHT else views,
        **options,
    )


def view_names(seats: int) -> tuple[str, ...]:
    """Return the views of a match: everything, the public's, and one for each seat."""
    return (EVERYTHING, PUBLIC_VIEW, *SEAT_LETTERS[:seats])


def record_for(record: Record, view: str) -> Record:
    """Return the record, or the copy that holds what this view may know."""
    seat = _seat(view)
    return record if seat is None else redact(record, seat)


def _seat(view: str) -> Seat | None:
    """Return whose eyes a view looks through; None for those who see everything."""
    if view == EVERYTHING:
        return None
    return PUBLIC if view == PUBLIC_VIEW else SEAT_LETTERS.index(view)


def _insight(record: Record, view: str) -> MatchInsight:
    try:
        return insight(record, _seat(view))
    except RecordError:
        return NO_INSIGHT


def _title(record: Record) -> str:
    game = GAMES.get(record["game"])
    return f"{game.name if game else record['game']}, {len(record['seats'])} seats"
