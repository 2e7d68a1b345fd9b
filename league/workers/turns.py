"""Whose turn it is: pure arithmetic over lanes.

Every job belongs to a lane: that of a user (uploads, challenges and tournaments together), that of
a ladder, or any other that is named, say one for all visitors without an account. The lane with the
fewest running jobs that used the least time lately is served next, so a lane that floods the queue
waits behind its own jobs, and nobody else does.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log

from league.matches.lane_keys import LADDER

LADDER_SHARE = 0.25
"""Of the turns, while others wait."""
SLOW_SECONDS = 5.0
"""A lane whose jobs take longer is slow: its jobs do not hold all places at once."""
NO_LIMIT = 1_000_000
HALF_LIFE_SECONDS = 60.0
"""Half of the time a lane used is forgotten after this."""


@dataclass(frozen=True, slots=True)
class Lane:
    """A lane with a waiting job, and what it used."""

    key: str
    running: int = 0
    oldest_seconds: float = 0.0
    """How long the oldest of its running jobs has been running."""
    used_seconds: float = 0.0
    """The time its jobs used lately, running ones included."""
    mean_seconds: float | None = None
    """How long a job takes; None if that is unknown."""

    @property
    def is_ladder(self) -> bool:
        """Return whether it is the lane of a ladder."""
        return self.key.startswith(LADDER)

    @property
    def slow(self) -> bool:
        """Return whether its jobs take long."""
        usual = self.mean_seconds or 0.0
        return not self.is_ladder and max(usual, self.oldest_seconds) > SLOW_SECONDS


def order(lanes: Iterable[Lane], *, ladders_first: bool) -> list[Lane]:
    """Return the lanes in the order in which they are served."""
    return sorted(
        lanes,
        key=lambda lane: (
            lane.is_ladder is not ladders_first,
            lane.running,
            lane.used_seconds,
            lane.key,
        ),
    )


def share(own: str, waiting: Iterable[str], ladder_load: float) -> float:
    """Return the share of turns that a lane gets while the jobs of these are waiting, too.

    Ladders take what they took lately, but no more than `LADDER_SHARE`.
    """
    owners = {key for key in waiting if key != own and not key.startswith(LADDER)}
    return (1.0 - min(LADDER_SHARE, ladder_load)) / (1 + len(owners))


def load(used_seconds: float, places: int) -> float:
    """Return the share of all places that the time used lately keeps busy."""
    return used_seconds * log(2) / HALF_LIFE_SECONDS / places if places else 0.0


def may_start(lane: Lane, kind: str, places: int, slow_running: int) -> bool:
    """Return whether one more job of this kind may start at the places of all workers.

    Slow lanes leave one place to the others, whoever is waiting now: someone may come any moment.
    """
    if lane.slow and 1 < places <= slow_running + 1:
        return False
    return lane.running < max_running(lane, kind, places)


def max_running(lane: Lane, kind: str, places: int) -> int:
    """Return how many jobs a lane may have running at once when one of this kind is added.

    One check at a time, and one job of a lane that is slow or unknown. Challenges and runs of the
    playground leave a place free. Tournaments and ladders may take all places while nobody else
    wants them. With a single place there is nothing to leave free: lanes alternate.
    """
    if places < 2:
        return NO_LIMIT
    if lane.is_ladder:
        return NO_LIMIT
    if kind == "check" or lane.slow or lane.mean_seconds is None:
        return 1
    return places - 1 if kind in ("challenge", "playground") else NO_LIMIT


def is_free(lane: Lane, kind: str, places: int) -> bool:
    """Return whether jobs of this kind may start whatever else is running."""
    return not (lane.slow and places > 1) and max_running(lane, kind, places) == NO_LIMIT


def forget(used_seconds: float, since_seconds: float) -> float:
    """Return what still counts of the time that was used a while ago."""
    share: float = 0.5 ** (max(0.0, since_seconds) / HALF_LIFE_SECONDS)
    return used_seconds * share


def usual(mean_seconds: float | None, seconds: float) -> float:
    """Return the mean duration with one more job; the latest weigh most."""
    return seconds if mean_seconds is None else (mean_seconds + seconds) / 2
