"""Quarantine: one owner cannot cause it, and a worker that passes its own test leaves it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.jobs import leases
from league.matches import services
from league.matches.models import Fault as StoredFault, Match, Seat
from league.workers import fleet, playing, worker
from league.workers.models import FailedAttempt, Worker
from league.workers.sweep import sweep
from league.workers.trust import quarantine, self_test
from league.workers.trust.suspicion import DOUBT, Count, independent, suspects
from runners.failures import InfrastructureError
from tests.league.factories import make_player, make_user, queue_match
from tests.league.workers.test_operate_workers import fail_matches, register

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("owners", "count"),
    [
        pytest.param([{1}, {1}, {1}, {1}], 0, id="all of one owner"),
        pytest.param([{1, 2}, {1, 3}, {1, 4}, {1, 5}], 0, id="one owner sits in all of them"),
        pytest.param([{1, 2}, {1, 3}, {2, 3}, {4, 5}], 2, id="nobody in more than two"),
        pytest.param([{1}, {2}, {3}, {4}], 3, id="four owners"),
        pytest.param([set(), set(), {1}], 2, id="house bots alone"),
        pytest.param([], 0, id="nothing failed"),
    ],
)
def test_failures_count_that_one_owner_cannot_have_caused(owners, count):
    assert independent(map(frozenset, owners)) == count


def test_matches_of_one_owner_cannot_set_a_worker_aside_though_others_sit_in_them():
    register("here", unfinished=20)
    fail_matches("here", [[0, n, n + 1] for n in range(1, 16)])
    assert quarantine.quarantine_unhealthy() == []
    fail_matches("here", [[n, n + 1] for n in range(3)])
    assert quarantine.quarantine_unhealthy() == ["here"]


@pytest.mark.parametrize(
    ("by_owner", "bad"),
    [
        pytest.param({1: 12}, False, id="one owner alone"),
        pytest.param({1: 9, 2: 3}, False, id="one owner mostly"),
        pytest.param({1: 4, 2: 4, 3: 4}, True, id="three owners"),
        pytest.param({}, True, id="bots that nobody owns"),
    ],
)
def test_bots_of_one_owner_that_fail_on_one_machine_do_not_make_it_suspect(by_owner, bad):
    counts = {"own": Count(30, 12, by_owner), "others": Count(300, 6, {9: 6})}
    assert ("own" in suspects(counts)) is bad


def test_one_owner_cannot_get_second_tries_by_failing_on_one_machine():
    counts = {"own": Count(20, 4, {1: 4}), "others": Count(200, 2)}
    assert suspects(counts, DOUBT) == {}


def test_a_failed_match_is_noted_with_its_worker(monkeypatch):
    def broken(*_, **__):
        raise InfrastructureError("a box cannot be started")

    monkeypatch.setattr(playing, "boxed_players", broken)
    match = queue_match([make_player(), make_player(), make_player()])
    assert not playing.play(services.claim("here"), None)
    assert FailedAttempt.objects.values_list("worker", "match").get() == ("here", match.pk)
    services.claim("there")
    Match.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
    sweep()
    workers = FailedAttempt.objects.order_by("pk").values_list("worker", flat=True)
    assert list(workers) == ["here", "there"]


def test_old_failures_are_forgotten():
    fail_matches("here", [[1]])
    FailedAttempt.objects.update(failed_at=timezone.now() - timedelta(hours=2))
    quarantine.quarantine_unhealthy()
    assert not FailedAttempt.objects.exists()


@pytest.fixture
def aside(monkeypatch):
    """This worker is in quarantine, and its next test is due."""
    monkeypatch.setenv("KARAT_WORKER", "here")
    monkeypatch.setattr(worker, "walls", worker._Walls())
    register("here", unfinished=9, taking_since=timezone.now())
    fail_matches("here", [[n] for n in range(4)])
    assert quarantine.quarantine_unhealthy() == ["here"]
    wait_for_test()
    return Worker.objects.get(name="here")


def wait_for_test():
    Worker.objects.update(retest_at=timezone.now())


def test_a_worker_that_passes_its_own_test_comes_back_by_itself(aside, caplog):
    assert fleet.refusal("here").startswith("it is in quarantine")
    worker.work()
    aside.refresh_from_db()
    assert fleet.refusal("here") is None
    assert (aside.unfinished, aside.quarantine_count) == (0, 1)
    assert not FailedAttempt.objects.exists()
    assert quarantine.quarantine_unhealthy() == []
    assert "passed its self-test" in caplog.text


def test_a_worker_is_not_tested_before_its_time_and_by_one_process_only(aside):
    assert fleet.claim_retest("here")
    assert not fleet.claim_retest("here")
    aside.refresh_from_db()
    assert timedelta(minutes=1) < aside.retest_at - timezone.now() <= timedelta(minutes=2)


@pytest.mark.parametrize(
    ("walls_hold", "playing", "said"),
    [
        pytest.param(False, True, "its sandbox does not hold", id="a wall fell"),
        pytest.param(True, False, "its test match failed: no core", id="its match failed"),
    ],
)
@pytest.mark.usefixtures("aside")
def test_a_worker_that_fails_its_own_test_stays_aside(
    monkeypatch, caplog, walls_hold, playing, said
):
    def broken(*_, **__):
        raise InfrastructureError("no core")

    if not playing:
        monkeypatch.setattr(self_test, "play", broken)
    self_test.retest_if_due("here", lambda: walls_hold)
    assert fleet.refusal("here").startswith("it is in quarantine")
    assert said in caplog.text


@pytest.mark.usefixtures("aside")
def test_a_drained_worker_stays_drained_when_its_quarantine_ends():
    fleet.drain("here")
    self_test.retest_if_due("here", lambda: True)
    assert Worker.objects.get().quarantined_at is None
    assert fleet.refusal("here") == "it is being drained"


def test_each_quarantine_within_a_day_lasts_longer_up_to_an_hour(aside):
    waits = []
    for _ in range(6):
        assert fleet.release("here")
        assert fleet.quarantine("here", "again")
        aside.refresh_from_db()
        waits.append(aside.retest_at - aside.quarantined_at)
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (timedelta(minutes=2), timedelta(hours=1))
    assert aside.quarantine_count == 7
    fleet.release("here")
    Worker.objects.update(released_at=timezone.now() - timedelta(days=2))
    fleet.quarantine("here", "again")
    aside.refresh_from_db()
    assert aside.retest_at - aside.quarantined_at == timedelta(minutes=1)


def test_what_happened_before_its_release_is_no_evidence():
    versions = [make_player(make_user()).active for _ in range(4)]
    for name, faulty in (("sick", 12), ("well", 0)):
        register(name)
        finished = {"status": Match.Status.FINISHED, "finished_at": timezone.now(), "worker": name}
        matches = Match.objects.bulk_create(Match(seat_count=3, **finished) for _ in range(22))
        for number, match in enumerate(matches[:faulty]):
            version = versions[number % 4]
            seat = Seat.objects.create(match=match, number=0, version=version, bot=version.bot)
            StoredFault.objects.create(seat=seat, version=version, code="E302")
    assert quarantine.quarantine_unhealthy() == ["sick"]
    assert fleet.release("sick")
    assert set(quarantine.counts()) == {"well"}
    assert quarantine.quarantine_unhealthy() == []


def test_a_worker_tries_its_walls_again_soon_after_a_match_that_came_to_nothing(monkeypatch):
    tried = []
    walls = worker._Walls()
    monkeypatch.setattr(walls, "_try", lambda: tried.append(1))
    walls.held, walls.tried_at = True, worker.monotonic() - 2 * worker.RETRY_SECONDS
    assert walls.hold()
    assert tried == []
    monkeypatch.setattr(worker, "walls", walls)
    monkeypatch.setattr(playing, "play", lambda *_: False)
    monkeypatch.setattr(worker, "pool", lambda: None)
    worker._play(leases.Lease(1, "x", 1))
    walls.hold()
    assert tried == [1]
