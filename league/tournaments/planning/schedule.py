"""When a tournament recurs: a cron expression in a time zone, and which dates are due.

Days on which the clocks change are as people expect: a tournament at 02:30 takes place once, at
03:00 if that night has no half past two. Nothing here reads a clock; the caller says when now is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice, pairwise
from typing import Literal
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError

from league.tournaments.planning.config import Problem

PUNCTUAL = timedelta(minutes=10)
"""A date that is noticed later than this was missed."""
MIN_GAP = timedelta(minutes=5)
LOOK_BACK = timedelta(days=366)
"""Dates that were missed longer ago are forgotten."""

Missed = Literal["run", "skip"]
_SOME_DAY = datetime(2024, 1, 1, tzinfo=UTC)
_FIELDS = ("minute", "hour", "day of the month", "month", "day of the week")


@dataclass(frozen=True, slots=True)
class Schedule:
    """A recurring date: `30 18 * * FRI` in `Europe/Berlin`."""

    cron: str
    zone: str = "UTC"
    missed: Missed = "skip"
    """Whether the latest missed date takes place late."""

    def problems(self) -> list[Problem]:
        """Return everything that is wrong with it."""
        problems = []
        if self.missed not in ("run", "skip"):
            problems.append(Problem("missed", "Choose run or skip for missed dates."))
        if self.zone not in known_zones():
            text = f"{self.zone!r} is not a time zone. Choose one such as Europe/Berlin or UTC."
            problems.append(Problem("zone", text))
        reason = _refusal_reason(self.cron)
        if reason:
            problems.append(Problem("cron", reason))
        return problems

    def after(self, instant: datetime) -> Iterator[datetime]:
        """Yield the dates after an instant, in the zone of the schedule."""
        zone = ZoneInfo(self.zone)
        previous = instant.astimezone(UTC)
        try:
            for date in CronSim(self.cron, instant.astimezone(zone)):
                # In the hour that comes twice in autumn, dates of its first half come again.
                if date.astimezone(UTC) > previous:
                    previous = date.astimezone(UTC)
                    yield date
        except OverflowError:
            # Dates end with the year 9999.
            return

    def shortest_gap(self) -> timedelta:
        """Return the least time between two of its dates; the expression must be valid."""
        return _shortest_gap(self.cron)

    def preview(self, instant: datetime, count: int = 5) -> list[datetime]:
        """Return the next dates."""
        return list(islice(self.after(instant), count))


@dataclass(frozen=True, slots=True)
class Due:
    """A date that has come, and whether the tournament takes place."""

    at: datetime
    """In UTC; the key of an occurrence."""
    runs: bool


def due(schedule: Schedule, since: datetime, now: datetime) -> list[Due]:
    """Return the dates after `since` and up to `now`.

    A punctual one takes place. Of those that were missed, the latest takes place late if the
    schedule says so and no punctual one follows; all others are reported as not taking place.
    """
    start = max(since, now - LOOK_BACK)
    times = []
    for date in schedule.after(start):
        if date > now:
            break
        times.append(date.astimezone(UTC))
    late = [at for at in times if now - at > PUNCTUAL]
    make_up = late[-1:] if schedule.missed == "run" and len(late) == len(times) else []
    return [Due(at, at not in late or at in make_up) for at in times]


def _refusal_reason(cron: str) -> str | None:
    """Return why an expression cannot be used, as a sentence; None if it can."""
    parts = cron.split()
    if len(parts) != len(_FIELDS):
        actual = f"this one has {len(parts)}" if parts else "this one is empty"
        return f"A cron expression has five fields ({', '.join(_FIELDS)}); {actual}."
    for index, (part, name) in enumerate(zip(parts, _FIELDS, strict=True)):
        if not _parses(" ".join(part if index == at else "*" for at in range(len(_FIELDS)))):
            return f"{part!r} is not a valid {name} of a cron expression."
    if not _parses(cron):
        return "There is no such day in any of these months."
    if not any(CronSim(cron, _SOME_DAY)):
        return "This expression names no date that ever comes."
    if _shortest_gap(cron) < MIN_GAP:
        return "Leave at least five minutes between two tournaments."
    return None


def _shortest_gap(cron: str) -> timedelta:
    times = islice(CronSim(cron, _SOME_DAY), 300)
    return min((later - earlier for earlier, later in pairwise(times)), default=timedelta.max)


def _parses(cron: str) -> bool:
    try:
        CronSim(cron, _SOME_DAY)
    except CronSimError:
        return False
    return True


@lru_cache(maxsize=1)
def known_zones() -> frozenset[str]:
    """Return the names of all time zones. Listing them reads hundreds of files."""
    return frozenset(available_timezones())
