"""The rating of a bot over time: one point for every ten matches, its range, and its versions.

Pages place the numbers; places along the time are shares of the width, heights are pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil, floor

from django.db.models import F, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from bots_sdk.rating.skill import Rating
from league.bots.models import Bot
from league.ladder.models import Entry, RatingChange

PERIODS = {"30": "30 d", "90": "90 d", "all": "all"}
EVERY = 10
MAX_POINTS = 150
HEIGHT = 220
WIDTH = 1000
"""The curve is stretched to the available width."""
_TOP, _BOTTOM = 24, 8
_GRID = 100


@dataclass(frozen=True, slots=True)
class Point:
    """Where the bot stood after a match."""

    at: datetime
    version: int
    strength: Rating


@dataclass(frozen=True, slots=True)
class Mark:
    """Something along the time."""

    x: str
    label: str
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that is drawn."""

    points: list[Point]
    every: int
    line: str
    band: str
    grid: list[tuple[float, int]]
    versions: list[Mark]
    last: tuple[str, float]
    title: str
    height: int = HEIGHT


def points(bot: Bot, game: str, period: str) -> tuple[int, list[Point]]:
    """Return every n-th line of the ledger about a bot and the last one, and n."""
    lines = RatingChange.objects.filter(bot=bot, ladder=game)
    if period != "all":
        lines = lines.filter(created_at__gte=timezone.now() - timedelta(days=int(period)))
    played = Entry.objects.filter(bot=bot, ladder=game).values_list("matches", flat=True).first()
    every = EVERY * max(1, ceil((played or 0) / EVERY / MAX_POINTS))
    fields = ("created_at", "version__number", "mu", "sigma", "number")
    counted = lines.annotate(number=Window(RowNumber(), order_by=F("ledger_position").asc()))
    sample = list(counted.annotate(rest=F("number") % every).filter(rest=0).values_list(*fields))
    last = lines.order_by("-ledger_position").values_list(*fields[:4]).first()
    rows = [row[:4] for row in sample]
    if last and last not in rows[-1:]:
        rows.append(last)
    return every, [Point(at, number, Rating(mu, sigma)) for at, number, mu, sigma in rows]


def chart(bot: Bot, game: str, period: str) -> Chart | None:
    """Return the drawing; None if there is nothing to draw yet."""
    every, curve = points(bot, game, period)
    if not curve:
        return None
    begun, ended = curve[0].at, curve[-1].at
    ends = [one.strength.shown + way * one.strength.margin for one in curve for way in (-1, 1)]
    low, high = floor(min(ends) / _GRID) * _GRID, ceil(max(ends) / _GRID) * _GRID
    scale = _Scale(begun, ended, low, high)
    return Chart(
        points=curve,
        every=every,
        line=_path([(scale.x(one.at), scale.y(one.strength.shown)) for one in curve]),
        band=_band(curve, scale),
        grid=[(scale.y(value), value) for value in _grid(low, high)],
        versions=_versions(bot, scale),
        last=("100%", scale.y(curve[-1].strength.shown)),
        title=f"From {curve[0].strength} to {curve[-1].strength} in {len(curve)} points",
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    begun: datetime
    ended: datetime
    low: int
    high: int

    def share(self, at: datetime) -> float:
        whole = (self.ended - self.begun).total_seconds()
        return (at - self.begun).total_seconds() / whole if whole else 1.0

    def x(self, at: datetime) -> float:
        return round(self.share(at) * WIDTH, 1)

    def y(self, shown: float) -> float:
        share = (shown - self.low) / (self.high - self.low)
        return round(HEIGHT - _BOTTOM - share * (HEIGHT - _BOTTOM - _TOP), 1)


def _path(places: Sequence[tuple[float, float]]) -> str:
    first, *others = places
    # A single point is drawn as a short line, so that it can be seen.
    others = others or [(WIDTH, first[1])]
    if len(places) == 1:
        first = (WIDTH * 0.98, first[1])
    return f"M{first[0]} {first[1]}" + "".join(f"L{x} {y}" for x, y in others)


def _band(curve: list[Point], scale: _Scale) -> str:
    if len(curve) == 1:
        return ""
    upper = [(scale.x(p.at), scale.y(p.strength.shown + p.strength.margin)) for p in curve]
    lower = [(scale.x(p.at), scale.y(p.strength.shown - p.strength.margin)) for p in curve]
    return _path([*upper, *reversed(lower)]) + "Z"


def _grid(low: int, high: int) -> range:
    """Return about four lines."""
    step = _GRID * max(1, round((high - low) / _GRID / 4))
    return range(low, high + 1, step)


def _versions(bot: Bot, scale: _Scale) -> list[Mark]:
    """Mark when versions became active; labels that would touch are left out."""
    versions = bot.versions.filter(activated_at__range=(scale.begun, scale.ended))
    marks: list[Mark] = []
    free = 0.0
    for version in versions.only("number", "activated_at").order_by("activated_at"):
        share = scale.share(version.activated_at or scale.begun)
        label = f"v{version.number}" if share >= free else ""
        if label:
            free = share + 0.06
        marks.append(Mark(f"{share:.2%}", label, "end" if share > 0.9 else "start"))
    return marks
