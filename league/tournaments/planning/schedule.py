"""When a tournament comes round: a cron line in a time zone, and what is due by now.

Days on which the clocks change are as people expect: a cup at 02:30 takes place once, at 03:00 if
that night has no half past two. Nothing here asks the time; the caller says when now is.
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
"""An occurrence found later than this was missed."""
MIN_GAP = timedelta(minutes=5)
LOOK_BACK = timedelta(days=366)
"""What was missed longer ago is forgotten."""

Missed = Literal["run", "skip"]
_SOME_DAY = datetime(2024, 1, 1, tzinfo=UTC)
_FIELDS = ("minute", "hour", "day of the month", "month", "day of the week")


@dataclass(frozen=True, slots=True)
class Schedule:
    """A recurring date: `30 18 * * FRI` in `Europe/Berlin`."""

    cron: str
    zone: str = "UTC"
    missed: Missed = "skip"
    """Whether the latest occurrence that was missed is made up for."""

    def problems(self) -> list[Problem]:
        """Everything that is wrong with it."""
        found = []
        if self.missed not in ("run", "skip"):
            found.append(Problem("missed", "Say run or skip for dates that were missed."))
        if self.zone not in known_zones():
            text = f"{self.zone!r} is not a time zone. Name one such as Europe/Berlin or UTC."
            found.append(Problem("zone", text))
        reason = _why_not(self.cron)
        if reason:
            found.append(Problem("cron", reason))
        return found

    def after(self, instant: datetime) -> Iterator[datetime]:
        """The occurrences later than an instant, in the zone of the schedule."""
        zone = ZoneInfo(self.zone)
        previous = instant.astimezone(UTC)
        try:
            for found in CronSim(self.cron, instant.astimezone(zone)):
                # In the hour that comes twice in autumn, its first half can be found in the second.
                if found.astimezone(UTC) > previous:
                    previous = found.astimezone(UTC)
                    yield found
        except OverflowError:
            # Dates end with the year 9999.
            return

    def shortest_gap(self) -> timedelta:
        """Return the least time between two of its dates; the line must be one that can be read."""
        return _shortest_gap(self.cron)

    def preview(self, instant: datetime, count: int = 5) -> list[datetime]:
        """The next dates, as they are shown before publishing."""
        return list(islice(self.after(instant), count))


@dataclass(frozen=True, slots=True)
class Due:
    """An occurrence whose time has come, and whether it takes place."""

    at: datetime
    """In UTC: the key under which an occurrence is known."""
    runs: bool


def due(schedule: Schedule, since: datetime, now: datetime) -> list[Due]:
    """What came after `since` and not after `now`.

    A punctual occurrence takes place. Of those that were missed, the latest is made up for if the
    schedule says so and no punctual one follows; all others are reported as not taking place.
    """
    start = max(since, now - LOOK_BACK)
    times = []
    for found in schedule.after(start):
        if found > now:
            break
        times.append(found.astimezone(UTC))
    late = [at for at in times if now - at > PUNCTUAL]
    make_up = late[-1:] if schedule.missed == "run" and len(late) == len(times) else []
    return [Due(at, at not in late or at in make_up) for at in times]


def _why_not(cron: str) -> str | None:
    """None if the line says when, otherwise the reason as a sentence."""
    parts = cron.split()
    if len(parts) != len(_FIELDS):
        found = f"this line has {len(parts)}" if parts else "this line is empty"
        return f"A cron line has five fields ({', '.join(_FIELDS)}); {found}."
    for index, (part, name) in enumerate(zip(parts, _FIELDS, strict=True)):
        if not _parses(" ".join(part if index == at else "*" for at in range(len(_FIELDS)))):
            return f"{part!r} is not a {name} that a cron line understands."
    if not _parses(cron):
        return "There is no such day in any of these months."
    if not any(CronSim(cron, _SOME_DAY)):
        return "This line names no date that ever comes."
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
