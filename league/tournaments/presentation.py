"""Standings as people read them: values become texts. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bots_sdk.rating.skill import Rating
from engine.registry import presentation_of
from league.tournaments.models import Entry
from league.tournaments.planning.config import Config
from league.tournaments.planning.plan import EntryId, Round
from league.tournaments.planning.standings import Presence, Row

NOTHING = "–"
_CHAIN = {
    "head-to-head": "head-to-head among those with equal points",
    "score": "score per game, fewer forfeits first",
    "rating": "cautious rating when entry closed",
}
_DECIDED = {
    "stayed": "left or did not play",
    "stage": "advanced further",
    "points": "points",
    "head-to-head": "head-to-head",
    "score": "score",
    "rating": "rating",
    "shared": "shared place",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """The points of a round; provisional ones may still change."""

    text: str
    provisional: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the standings."""

    place: int | None
    entry: Entry
    points: str
    by_round: tuple[Cell, ...]
    head_to_head: str
    score: str
    rating: str
    games: int
    byes: int
    forfeits: int
    decided_by: str
    status: str
    chance: float | None
    mine: bool


def lines(
    rows: Sequence[Row],
    entries: Mapping[EntryId, Entry],
    rounds: Sequence[Round],
    game: str,
    chances: Mapping[EntryId, float] | None = None,
    viewer: int | None = None,
) -> list[Line]:
    """Return the lines of these rows; `viewer` is the user whose bots are marked."""
    complete = [one.complete for one in rounds]
    return [
        _line(row, entries[row.entry], complete, game, (chances or {}).get(row.entry), viewer)
        for row in rows
    ]


def _line(
    row: Row,
    entry: Entry,
    complete: Sequence[bool],
    game: str,
    chance: float | None,
    viewer: int | None,
) -> Line:
    cells = (
        Cell(NOTHING if points is None else number(points), not done)
        for points, done in zip(row.by_round, complete, strict=True)
    )
    return Line(
        place=row.place,
        entry=entry,
        points=number(row.points),
        by_round=tuple(cells),
        head_to_head=NOTHING if row.head_to_head is None else signed(row.head_to_head),
        score=score(row.score, game) if row.games else NOTHING,
        rating=NOTHING if row.rating is None else str(rating(row.rating)),
        games=row.games,
        byes=row.byes,
        forfeits=row.forfeits,
        decided_by=_DECIDED[row.decided_by],
        status=_status(row),
        chance=chance,
        mine=viewer is not None and entry.bot.owner_id == viewer,
    )


def _status(row: Row) -> str:
    """Return the text of the badge; none for those who play."""
    if row.status != "playing":
        return row.status
    return "did not play" if row.presence == Presence.ABSENT else ""


def number(value: Fraction) -> str:
    """Return `9`, `8.5`, `8.33`."""
    return f"{float(value):,.2f}".rstrip("0").rstrip(".").replace("-", "−")


def signed(value: int) -> str:
    """Return `+2`, `−1`, `0`."""
    return f"{value:+d}".replace("-", "−") if value else "0"


def rating(cautious: float) -> int:
    """Return a rating on the scale that pages show."""
    return round(Rating(cautious).shown)


def score(value: Fraction, game: str) -> str:
    """Return a mean score as the game says it: `34.2M`, `61.0`."""
    return presentation_of(game).format_mean(float(value))


def score_head(game: str) -> str:
    """Return what the score of a game counts."""
    return presentation_of(game).mean_label


def points_head(config: Config) -> str:
    """Return the name of what decides first."""
    return "Penalty" if config.fewest_wins else "Points"


def chain(config: Config, knockout: bool) -> list[str]:
    """Return the tie-breaks in their order, as sentences."""
    first = "penalty points, the fewest win" if config.fewest_wins else "points"
    stage = ["the last round reached"] if knockout else []
    return [
        *stage,
        first,
        *(_CHAIN[link] for link in config.tie_breaks),
        "shared place",
    ]
