"""Leases are short and renewed: what a worker had that is gone is soon played by another."""

import os
import signal
import time

import pytest

from league.bots import checks
from league.bots.models import BotVersion
from league.jobs import leases
from league.matches import services
from league.matches.models import Match
from league.workers import registration
from tests.league.factories import make_bot, make_player, make_version, queue_match

pytestmark = pytest.mark.stack

SLOW = """from time import sleep

from bots_sdk import Bot


class Slow(Bot):
    def decide(self, view, options):
        sleep(0.3)
        return options[0]
"""
PLAYERS = f"""
ladder.ensure()
players = [factories.make_bot(name=f"Player {{n}}") for n in range(3)]
for n, bot in enumerate(players):
    factories.make_version(bot, {SLOW!r} + f"# {{n}}\\n", games=["basari"])
    bot.refresh_from_db()
Bot.objects.update(enters=False)
factories.queue_match(players)
"""
# A tenth of the true times.
WORKER = """
from league.workers.processes import Processes
from league.version import rules_code
leases.LEASE_SECONDS, leases.RENEW_SECONDS = 3.0, 1.0
os.environ["KARAT_WORKER"] = {name!r}
Processes(1).run(rules_code())
"""


def lapsed():
    return leases.lapsed(Match).exists()


@pytest.mark.django_db(transaction=True)
def test_a_lease_lives_as_long_as_the_work_and_never_beyond_the_hard_limit(monkeypatch):
    monkeypatch.setattr(leases, "LEASE_SECONDS", 1.0)
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.2)
    queue_match([make_player() for _ in range(3)])
    lease = services.claim("here")
    renewals = []
    with leases.renewing(Match, lease, 60, lambda: renewals.append(1)):
        time.sleep(2)
        assert not lapsed()
    assert len(renewals) > 2
    with leases.renewing(Match, lease, 0.5):
        time.sleep(2)
        assert lapsed()


@pytest.mark.django_db(transaction=True)
def test_a_worker_whose_match_is_taken_away_is_heard_of_until_it_is_through(monkeypatch):
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.1)
    match = queue_match([make_player() for _ in range(3)])
    lease = services.claim("here")
    Match.objects.filter(pk=match.pk).update(status=Match.Status.VOID, lease=None)
    renewals = []
    with leases.renewing(Match, lease, 60, lambda: renewals.append(1)):
        until = time.monotonic() + 20
        while len(renewals) < 2 and time.monotonic() < until:
            time.sleep(0.1)
    assert len(renewals) >= 2
    match.refresh_from_db()
    assert (match.status, match.lease) == (Match.Status.VOID, None)


@pytest.mark.django_db
def test_a_worker_that_comes_back_gives_back_at_once_what_it_had(monkeypatch):
    monkeypatch.setenv("KARAT_WORKER", "here")
    mine, other = (queue_match([make_player() for _ in range(3)]) for _ in range(2))
    services.claim("here")
    services.claim("elsewhere")
    version = make_version(make_bot(), status=BotVersion.Status.WAITING)
    checks.claim("here")
    registration.announce(1, "code")
    status = dict(Match.objects.values_list("pk", "status"))
    assert status == {mine.pk: Match.Status.QUEUED, other.pk: Match.Status.RUNNING}
    version.refresh_from_db()
    assert version.status == BotVersion.Status.WAITING


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGSTOP])
def test_what_a_worker_played_that_died_or_froze_is_played_once_by_another(home, ending):
    home.python(PLAYERS)
    first = home.start_python(WORKER.format(name="first"))
    home.wait("tell(Match.objects.filter(status='running').exists())")
    time.sleep(1)
    os.killpg(first.pid, ending)
    home.env["LADDER_QUEUE"] = "0"
    home.start("control")
    home.start_python(WORKER.format(name="second"))
    home.wait("tell(Match.objects.filter(status='finished').exists())", seconds=60)
    if ending == signal.SIGSTOP:
        os.killpg(first.pid, signal.SIGCONT)
        # It goes on with what it was at, finds that it is somebody else's, and looks for more.
        home.wait(
            "seen = Worker.objects.get(name='first')\n"
            "tell(seen.looked_at > Match.objects.get().finished_at)",
            seconds=60,
        )
    match = home.python(
        "m = Match.objects.get()\n"
        "tell([m.status, m.attempt, m.worker, Record.objects.count(),"
        " Worker.objects.get(name='first').finished])"
    )
    assert match == ["finished", 2, "second", 1, 0]
