"""Runs of the playground as jobs: bounded in number and age, fair to everybody else."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.bots.models import BotVersion
from league.errors import Refused
from league.jobs import leases
from league.ladder import tasks
from league.matches import lane_keys
from league.matches.models import Match
from league.operate import retention
from league.playground import queries, services
from league.playground.models import PlaygroundRun
from league.workers import lanes, queue, registration, worker
from league.workers.models import LaneUse, Worker
from tests.league.factories import make_bot, make_player, make_user, make_version, queue_match
from tests.league.playground.runs import make_client, make_guest, make_run
from tests.league.workers.test_turns import PEOPLE, busy_league

pytestmark = pytest.mark.django_db
Status = PlaygroundRun.Status


def make_worker(places=4):
    return Worker.objects.create(
        name="here", sandbox_ok=True, seen_at=timezone.now(), capacity=places
    )


def finish(run, **values):
    now = timezone.now()
    PlaygroundRun.objects.filter(pk=run.pk).update(
        status=Status.FINISHED, finished_at=now, **values
    )


def test_a_run_that_still_waits_is_replaced_and_keeps_its_place():
    client = make_guest()
    first = make_run(client, code="old")
    make_run()
    second = make_run(client, code="new")
    assert (second.pk, second.code, queries.place_in_queue(second)) == (first.pk, "new", 1)


def test_a_client_has_one_run_at_a_time_and_hears_how_long_to_wait():
    client = make_guest()
    run = make_run(client)
    assert queue.claim("here").lease.pk == run.pk
    with pytest.raises(Refused) as refused:
        make_run(client)
    assert (refused.value.status, refused.value.values["seconds"]) == (429, 1)


def test_when_many_guests_wait_the_next_one_hears_how_long_and_users_still_run(monkeypatch):
    monkeypatch.setattr(services, "MAX_WAITING_GUESTS", 2)
    finish(make_run(), duration_ms=4000)
    for _ in range(2):
        make_run()
    with pytest.raises(Refused) as refused:
        make_run()
    assert "Try again in 8 s" in refused.value.message.fix
    assert make_run(make_client(make_user())).status == Status.WAITING


def test_somebody_who_waits_hears_their_place_and_the_seconds():
    finish(make_run(), duration_ms=3000)
    runs = [make_run() for _ in range(3)]
    message = queries.wait_of(runs[2], places=1)
    assert "number 3 in the queue, about 9 s" in message.explanation
    assert "about 5 s" in queries.wait_of(runs[2], places=2).explanation


def test_finished_runs_of_a_client_and_of_everybody_are_few(monkeypatch):
    client = make_guest()
    for _ in range(5):
        finish(make_run(client))
    assert PlaygroundRun.objects.count() == services.MAX_PER_CLIENT
    monkeypatch.setattr(services, "MAX_RUNS", 4)
    for _ in range(4):
        finish(make_run())
    assert PlaygroundRun.objects.count() == 4
    assert not PlaygroundRun.objects.filter(client=client.name).exists()


def test_after_an_hour_nothing_is_left_of_a_run():
    old, young = make_run(), make_run()
    an_hour_ago = timezone.now() - timedelta(minutes=61)
    PlaygroundRun.objects.filter(pk=old.pk).update(created_at=an_hour_ago)
    assert retention.remove_expired() == 1
    assert list(PlaygroundRun.objects.all()) == [young]


def test_guests_together_take_turns_as_one_owner(monkeypatch):
    """Thirty guests do not keep the check of a user, a run of a user or a rated match waiting."""
    monkeypatch.setattr(queue, "random", lambda: 1.0)
    make_worker(places=4)
    LaneUse.objects.create(key=lane_keys.GUESTS, used_at=timezone.now(), mean_seconds=0.3)
    for _ in range(30):
        make_run()
    author, player = make_user(), make_user()
    upload = make_version(make_bot(author), status=BotVersion.Status.WAITING)
    run = make_run(make_client(player))
    match = queue_match([make_player() for _ in range(3)])
    first = [queue.claim("here") for _ in range(3)]
    assert {claim.lane for claim in first} == {
        lane_keys.GUESTS,
        lane_keys.lane_of_user(author.pk),
        lane_keys.lane_of_user(player.pk),
    }
    models = {(claim.model, claim.lease.pk) for claim in first}
    assert {(BotVersion, upload.pk), (PlaygroundRun, run.pk)} < models
    monkeypatch.setattr(queue, "random", lambda: 0.0)
    ladder = queue.claim("here")
    assert (ladder.model, ladder.lease.pk) == (Match, match.pk)


@pytest.mark.parametrize("places", [2, 4, 8])
@pytest.mark.parametrize(
    "seconds", [0.5, 15.0], ids=["ordinary runs", "runs that use all their time"]
)
def test_a_flood_of_guests_delays_nobody_else_by_more_than_a_few_seconds(places, seconds):
    league = busy_league(places)
    for _ in range(services.MAX_WAITING_GUESTS):
        league.arrive(10, lane_keys.GUESTS, lanes.PLAYGROUND, seconds)
    league.run(300)
    waits = {lane: league.waits[lane] for lane in league.waits if lane.startswith("user")}
    assert sum(len(one) for one in waits.values()) == PEOPLE
    assert max(wait for one in waits.values() for wait in one) < 5
    ladders = [len(one) for lane, one in league.waits.items() if lane.startswith("ladder")]
    assert min(ladders) > 100
    assert len(league.waits[lane_keys.GUESTS]) >= 10


def test_guests_leave_a_place_free_and_slow_ones_all_but_one(monkeypatch):
    monkeypatch.setattr(queue, "random", lambda: 1.0)
    make_worker(places=4)
    use = LaneUse.objects.create(key=lane_keys.GUESTS, used_at=timezone.now(), mean_seconds=0.3)
    for _ in range(9):
        make_run()
    assert [bool(queue.claim("here")) for _ in range(4)] == [True, True, True, False]
    PlaygroundRun.objects.unfinished().update(status=Status.WAITING, lease=None)
    LaneUse.objects.filter(pk=use.pk).update(mean_seconds=9.0)
    assert [bool(queue.claim("here")) for _ in range(2)] == [True, False]


def test_a_run_of_a_user_comes_before_the_games_of_their_tournament(monkeypatch):
    monkeypatch.setattr(queue, "random", lambda: 1.0)
    user = make_user()
    lane = lane_keys.lane_of_user(user.pk)
    match = queue_match([make_player() for _ in range(3)])
    Match.objects.filter(pk=match.pk).update(lane=lane, kind=Match.Kind.TOURNAMENT)
    make_version(make_bot(user), status=BotVersion.Status.WAITING)
    make_run(make_client(user))
    models = []
    for _ in range(3):
        claim = queue.claim("here")
        models.append(claim.model)
        claim.model.objects.filter(pk=claim.lease.pk).update(status="finished", lease=None)
    assert models == [PlaygroundRun, BotVersion, Match]


def test_a_run_whose_worker_died_waits_again_and_its_author_hears_that_it_was_us():
    run = make_run()
    for attempt in range(1, leases.MAX_ATTEMPTS + 1):
        claim = queue.claim("here")
        assert claim.lease.attempt == attempt
        past = timezone.now() - timedelta(seconds=1)
        PlaygroundRun.objects.filter(pk=run.pk).update(lease_until=past)
        tasks.tick()
        run.refresh_from_db()
        if attempt == 1:
            told = queries.wait_of(run, places=1)
            assert (told.code, "try 2 of 3" in told.fix) == ("S001", True)
    assert run.status == Status.STUCK


def test_a_worker_that_starts_again_gives_back_its_runs(monkeypatch):
    monkeypatch.setenv("KARAT_WORKER", "here")
    run = make_run()
    queue.claim(worker.name())
    registration.announce(1, "code")
    run.refresh_from_db()
    assert run.status == Status.WAITING


def test_nobody_keeps_a_lease_on_a_run_that_another_worker_took_over():
    run = make_run()
    lost = queue.claim("here").lease
    services.give_back(lost)
    mine = queue.claim("there").lease
    services.give_back(lost)
    assert leases.held(PlaygroundRun, mine).get() == run
