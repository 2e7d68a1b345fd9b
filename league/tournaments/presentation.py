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
_VULGAR_FRACTIONS = {
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 6): "⅙",
    Fraction(5, 6): "⅚",
}
_MAX_DENOMINATOR = 60
"""What halves, thirds, quarters and fifths add up to: everything that tables of 2 to 5 share."""
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
    bye: bool
    decisive: bool
    """Whether they decided the place: in a knock-out, those of the last round reached."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the standings."""

    place: int | None
    entry: Entry
    points: str
    points_text: str
    """With their unit: `1 point`, `12 penalty points`."""
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
    config: Config,
    chances: Mapping[EntryId, float] | None = None,
    viewer: int | None = None,
) -> list[Line]:
    """Return the lines of these rows; `viewer` is the user whose bots are marked."""
    return [
        _line(row, entries[row.entry], rounds, game, config, (chances or {}).get(row.entry), viewer)
        for row in rows
    ]


def _line(
    row: Row,
    entry: Entry,
    rounds: Sequence[Round],
    game: str,
    config: Config,
    chance: float | None,
    viewer: int | None,
) -> Line:
    cells = (
        Cell(
            NOTHING if points is None else number(points),
            provisional=not played.complete,
            bye=row.entry in played.byes,
            decisive=played.number == row.stage,
        )
        for points, played in zip(row.by_round, rounds, strict=True)
    )
    return Line(
        place=row.place,
        entry=entry,
        points=number(row.points),
        points_text=points_text(row.points, config),
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
    """Return `9`, `8.5`, `8⅓`, `8 7/12`: exactly, so that what is shown adds up. An average of many
    games may have no short form; then it is `≈8.02`.
    """
    if 100 % value.denominator == 0:
        return _decimals(value)
    if value.denominator > _MAX_DENOMINATOR:
        return f"≈{_decimals(value)}"
    whole, over = divmod(abs(value), 1)
    sign = "−" if value < 0 else ""
    part = _VULGAR_FRACTIONS.get(over)
    if part is None:
        part = f"{' ' if whole else ''}{over.numerator}/{over.denominator}"
    return f"{sign}{f'{whole:,}' if whole else ''}{part}"


def _decimals(value: Fraction) -> str:
    return f"{float(value):,.2f}".rstrip("0").rstrip(".").replace("-", "−")


def points_text(value: Fraction, config: Config) -> str:
    """Return `1 point`, `8.5 points`, `12 penalty points`."""
    kind = "penalty point" if config.fewest_wins else "point"
    return f"{number(value)} {kind}{'' if value == 1 else 's'}"


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
    """Return what the score of a game counts. Where it counts points, they are not those of the
    tournament, so they go by another name.
    """
    label = presentation_of(game).mean_label
    return "Score per game" if "point" in label.lower() else label


def points_head(config: Config) -> str:
    """Return the name of what decides first."""
    return "Penalty" if config.fewest_wins else "Points"


def chain(config: Config, knockout: bool) -> list[str]:
    """Return the tie-breaks in their order, as sentences."""
    first = "penalty points, the fewest win" if config.fewest_wins else "points"
    return [
        *(["the last round reached", f"{first} in that round"] if knockout else [first]),
        *(_CHAIN[link] for link in config.tie_breaks),
        "shared place",
    ]
