"""The geometry of small charts: numbers for inline SVG. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil, floor

from bots_sdk.rating.skill import Rating

WIDTH = 160
SPARK_WIDTH, SPARK_HEIGHT = 90, 24
MIN_SPARK_RANGE = 40
"""Ratings that hardly move are drawn as a calm line."""
_ROUND_TO = 100
_EDGE = 4


@dataclass(frozen=True, slots=True)
class Axis:
    """One scale for all ratings of a page."""

    low: float
    high: float

    @classmethod
    def over(cls, sure: Sequence[Rating], unsure: Sequence[Rating]) -> "Axis":
        """Return an axis for the ranges of the sure ones and the means of the others, whose own
        ranges would squeeze everything else.
        """
        ends = [one.shown + way * one.margin for one in sure or unsure for way in (-1, 1)]
        ends += [one.shown for one in unsure]
        if not ends:
            return cls(1400, 1600)
        low = floor(min(ends) / _ROUND_TO) * _ROUND_TO
        high = ceil(max(ends) / _ROUND_TO) * _ROUND_TO
        return cls(low, max(high, low + _ROUND_TO))

    def at(self, shown: float) -> float:
        """Return where a rating lies within the drawing."""
        share = (shown - self.low) / (self.high - self.low)
        return round(_EDGE + min(1.0, max(0.0, share)) * (WIDTH - 2 * _EDGE), 1)


@dataclass(frozen=True, slots=True)
class Interval:
    """A rating on the axis of its page."""

    left: float
    mean: float
    right: float
    title: str


def interval(axis: Axis, rating: Rating) -> Interval:
    """Return the range in which the strength almost surely lies."""
    low, high = rating.shown - rating.margin, rating.shown + rating.margin
    return Interval(
        axis.at(low), axis.at(rating.shown), axis.at(high), f"between {low:.0f} and {high:.0f}"
    )


def spark(points: Sequence[tuple[date, float]], first: date, last: date) -> str:
    """Return the path of a rating over some days; empty for fewer than two points."""
    if len(points) < 2:
        return ""
    values = [value for _, value in points]
    middle = (min(values) + max(values)) / 2
    reach = max(max(values) - min(values), MIN_SPARK_RANGE)
    days = max(1, (last - first).days)
    return "M" + " L".join(
        f"{(day - first).days / days * SPARK_WIDTH:.1f} "
        f"{SPARK_HEIGHT / 2 - (value - middle) / reach * (SPARK_HEIGHT - 4):.1f}"
        for day, value in points
    )


def bar(share: float | None, width: int = 80) -> float:
    """Return the length of a bar that shows a share."""
    return round((share or 0.0) * width, 1)
