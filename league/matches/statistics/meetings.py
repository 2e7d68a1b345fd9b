"""Reading whom a bot met, and how often it finished ahead."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Any

from django.db.models import Q

from league.bots.models import Bot
from league.matches.models import Meeting

ENOUGH = 10
"""With fewer meetings a share means little."""
_SURE = 1.96
"""Standard deviations to either side that hold 95 of 100 cases."""


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """How one bot did against another."""

    met: int = 0
    ahead: int = 0
    behind: int = 0

    def __add__(self, more: "HeadToHead") -> "HeadToHead":
        return HeadToHead(self.met + more.met, self.ahead + more.ahead, self.behind + more.behind)

    @property
    def tied(self) -> int:
        """Return how often nobody was ahead."""
        return self.met - self.ahead - self.behind

    @property
    def share(self) -> float:
        """Return the share of meetings in which it finished ahead; a tie counts half."""
        return (self.ahead + self.tied / 2) / self.met if self.met else 0.5

    @property
    def enough(self) -> bool:
        """Return whether there were enough meetings for a share."""
        return self.met >= ENOUGH

    @property
    def interval(self) -> tuple[float, float]:
        """Return where the true share lies in 95 of 100 cases (Wilson)."""
        if not self.met:
            return 0.0, 1.0
        spread = _SURE**2 / self.met
        middle = (self.share + spread / 2) / (1 + spread)
        half = _SURE / (1 + spread)
        half *= sqrt(self.share * (1 - self.share) / self.met + spread / (4 * self.met))
        return max(0.0, middle - half), min(1.0, middle + half)

    @property
    def margin(self) -> float:
        """Return half of the interval."""
        low, high = self.interval
        return (high - low) / 2


Sizes = dict[int, HeadToHead]
"""By the number of seats."""


def against(bot: Bot, game: str) -> dict[int, Sizes]:
    """Return all meetings of a bot in a game, by the key of the other bot."""
    meetings: dict[int, Sizes] = defaultdict(dict)
    for one, other, seats, met, ahead, behind in _rows(Q(game=game), bot):
        if one == bot.pk:
            meetings[other][seats] = HeadToHead(met, ahead, behind)
        else:
            meetings[one][seats] = HeadToHead(met, behind, ahead)
    return meetings


def between(bot: Bot, other: Bot) -> dict[str, Sizes]:
    """Return how a bot did against another, by game."""
    one, two = sorted([bot.pk, other.pk])
    meetings: dict[str, Sizes] = defaultdict(dict)
    rows = Meeting.objects.filter(one=one, other=two).order_by("game", "seat_count")
    for row in rows:
        ahead, behind = row.one_ahead, row.other_ahead
        if bot.pk != one:
            ahead, behind = behind, ahead
        meetings[row.game][row.seat_count] = HeadToHead(row.met, ahead, behind)
    return meetings


def altogether(sizes: Sizes) -> HeadToHead:
    """Return the sum over tables of all sizes."""
    return sum(sizes.values(), HeadToHead())


def _rows(condition: Q, bot: Bot) -> Iterable[tuple[Any, ...]]:
    fields = ("one", "other", "seat_count", "met", "one_ahead", "other_ahead")
    # Two looks into two indexes; with OR, a database may read the whole table instead.
    yield from Meeting.objects.filter(condition, one=bot).values_list(*fields)
    yield from Meeting.objects.filter(condition, other=bot).values_list(*fields)
