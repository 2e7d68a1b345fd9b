"""Small makers of what tests of the playground need."""

from uuid import uuid4

from django.conf import settings

from league.playground import playing, services
from league.playground.models import PlaygroundRun
from league.playground.services import Client, Setup
from runners.box.pool import Pool
from tests.league.factories import SOURCE


def make_guest():
    """Somebody without an account."""
    return Client(f"guest-{uuid4().hex}")


def make_client(user):
    """Somebody with one."""
    return Client(f"user-{user.pk}", user)


def make_run(client=None, code=SOURCE, game="basari", opponents=("random", "random"), seed="7"):
    """A run that waits."""
    return services.start(client or make_guest(), Setup(code, game, list(opponents), seed))


def play(run):
    """Let a worker play a waiting run in boxes; its row afterwards."""
    lease = services.claim("here", run.lane)
    assert lease is not None
    assert lease.pk == run.pk
    pool = Pool(run.seat_count, settings.LIMITS)
    try:
        assert playing.run(lease, pool)
    finally:
        pool.close()
    return PlaygroundRun.objects.get(pk=run.pk)
