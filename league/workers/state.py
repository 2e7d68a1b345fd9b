"""How the league is doing, in numbers: for the status page, the API and the operator's terminal.

Only reads, so it also works on a database that takes no writes.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from engine.registry import GAMES
from league import version
from league.bots.models import BotVersion
from league.control import models as control
from league.control.models import ControlProcess
from league.matches import queries
from league.matches.models import Match
from league.workers.models import Worker

LATELY = timedelta(hours=1)
"""Workers without a heartbeat for longer are not listed."""


@dataclass(frozen=True, slots=True)
class State:
    """The queue, what was played, who plays, and which versions run."""

    queued: int
    running: int
    oldest_seconds: float
    """How long the oldest queued match has been waiting."""
    uploads: int
    """Waiting to be checked."""
    finished: int
    void: int
    workers: list[Worker]
    control: ControlProcess | None
    """The control process with the latest heartbeat."""
    karat: str
    code: str
    """A hash of all code that decides how a match runs."""
    rules: dict[str, str]


def counts() -> dict[str, int]:
    """Return how many matches there are, by status.

    The rare ones have their own indexes. Most matches are finished: to count all and subtract takes
    one look into the smallest index.
    """
    status = Match.Status
    few: dict[str, int] = {
        one: Match.objects.filter(status=one).count()
        for one in (status.QUEUED, status.RUNNING, status.VOID)
    }
    return few | {status.FINISHED: Match.objects.count() - sum(few.values())}


def state() -> State:
    """Return the current state."""
    matches = counts()
    heard_of = Worker.objects.filter(seen_at__gte=timezone.now() - LATELY)
    return State(
        queued=matches[Match.Status.QUEUED],
        running=matches[Match.Status.RUNNING],
        oldest_seconds=queries.oldest_wait_seconds(),
        uploads=BotVersion.objects.waiting().count(),
        finished=matches[Match.Status.FINISHED],
        void=matches[Match.Status.VOID],
        workers=list(heard_of.order_by("name")),
        control=control.latest(),
        karat=version.karat(),
        code=version.rules_code(),
        rules={slug: game.rules for slug, game in GAMES.items()},
    )
