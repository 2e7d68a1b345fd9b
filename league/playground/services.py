"""What can happen to a run: it is started, given back, and forgotten.

Guests can run as often as they like, so everything is bounded: one unfinished run per client, a few
finished ones to look back at, `MAX_WAITING_GUESTS` in the queue and `MAX_RUNS` in all, for an hour.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from league.accounts.models import User
from league.control.work import MAX_ROWS, portion
from league.database import rows
from league.errors import Refused
from league.jobs import leases, wake
from league.matches import lane_keys
from league.playground import queries
from league.playground.models import PlaygroundRun, RunQuerySet

LIFETIME = timedelta(hours=1)
MAX_RUNS = 1000
MAX_PER_CLIENT = 3
MAX_WAITING_GUESTS = 200


@dataclass(frozen=True, slots=True)
class Client:
    """Who runs something: a user, or a guest by the name that the session has for them."""

    name: str
    user: User | None = None

    @property
    def lane(self) -> str:
        """Return whose turns the runs use up: all guests together count as one owner."""
        return lane_keys.lane_of_user(self.user.pk) if self.user else lane_keys.GUESTS


@dataclass(frozen=True, slots=True)
class Setup:
    """The match to play."""

    code: str
    game: str
    opponents: list[str]
    seed: str


def start(client: Client, setup: Setup) -> PlaygroundRun:
    """Queue a run, in place of one of the same client that still waits."""
    if client.user is None and _guests_waiting() >= MAX_WAITING_GUESTS:
        raise Refused("L008", status=429, seconds=queries.seconds_of_queue(client.lane))
    try:
        run = _replace(client, setup) or _create(client, setup)
    except IntegrityError:
        # One of theirs is being played right now.
        seconds = queries.seconds_to_play(1)
        raise Refused("L008", status=429, seconds=seconds) from None
    wake.workers()
    return run


def _guests_waiting() -> int:
    return PlaygroundRun.objects.waiting().filter(lane=lane_keys.GUESTS).count()


def _replace(client: Client, setup: Setup) -> PlaygroundRun | None:
    """Change what waits already, which keeps its place in the queue."""
    waiting = PlaygroundRun.objects.waiting().filter(client=client.name)
    changed = waiting.order_by().update(
        code=setup.code, game=setup.game, opponents=setup.opponents, seed=setup.seed, attempt=0
    )
    unfinished = PlaygroundRun.objects.unfinished().filter(client=client.name)
    return unfinished.first() if changed else None


@transaction.atomic
def _create(client: Client, setup: Setup) -> PlaygroundRun:
    run = PlaygroundRun.objects.create(
        client=client.name,
        owner=client.user,
        lane=client.lane,
        code=setup.code,
        game=setup.game,
        opponents=setup.opponents,
        seed=setup.seed,
    )
    _keep_latest(PlaygroundRun.objects.filter(client=client.name), MAX_PER_CLIENT)
    _keep_latest(PlaygroundRun.objects.all(), MAX_RUNS)
    return run


def _keep_latest(runs: RunQuerySet, count: int) -> None:
    latest = runs.order_by("-created_at", "-pk").values_list("pk", flat=True)
    old = list(latest[count : count + MAX_ROWS])
    unfinished = PlaygroundRun.objects.unfinished().values("pk")
    PlaygroundRun.objects.filter(pk__in=old).exclude(pk__in=unfinished).delete()


def claim(worker: str, lane: str) -> leases.Lease | None:
    """Claim the run of a lane that waits longest; None if there is none."""
    return leases.claim(PlaygroundRun, PlaygroundRun.objects.waiting().filter(lane=lane), worker)


def give_back(lease: leases.Lease) -> None:
    """Queue it again after a failure of ours; after some attempts it is stuck."""
    stuck = lease.attempt >= leases.MAX_ATTEMPTS
    status = PlaygroundRun.Status.STUCK if stuck else PlaygroundRun.Status.WAITING
    leases.held(PlaygroundRun, lease).update(status=status, lease=None, lease_until=None)


def sweep() -> int:
    """Queue runs again whose worker is gone. Return how many wait."""
    for run in portion(leases.lapsed(PlaygroundRun).order_by("lease_until")[:MAX_ROWS]):
        give_back(leases.Lease.of(run))
    return PlaygroundRun.objects.waiting().count()


def forget_old(limit: int) -> int:
    """Remove runs with all that came of them after an hour, at most `limit` per call."""
    old = PlaygroundRun.objects.filter(created_at__lt=timezone.now() - LIFETIME)
    pks = list(old.order_by("created_at").values_list("pk", flat=True)[:limit])
    return rows.delete(PlaygroundRun, pks)
