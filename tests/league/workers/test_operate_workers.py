"""Workers are drained, upgraded one by one, and quarantined when they cannot be trusted."""

from contextlib import closing
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils import timezone

from league.jobs import leases
from league.matches import services
from league.matches.models import Fault as StoredFault, Match, Seat
from league.operate.report import status
from league.workers import fleet, playing, worker
from league.workers.models import Worker
from league.workers.trust import quarantine
from league.workers.trust.suspicion import DOUBT, Count, suspects
from runners.box.pool import Pool
from runners.match import Fault
from tests.league.factories import (
    SOURCE,
    finish_match,
    make_bot,
    make_player,
    make_user,
    make_version,
    queue_match,
)

pytestmark = pytest.mark.django_db

SLOW = [Fault(0, 3, "E302", "It thought for too long.")]


def register(name, **facts):
    facts = {"seen_at": timezone.now(), "sandbox_ok": True, "version": "one"} | facts
    return Worker.objects.create(name=name, **facts)


def fail_matches(name, owners):
    """Matches that came to no result at a worker, each with bots of these owners."""
    bots = {}
    for number in {number for match in owners for number in match}:
        bots[number] = make_player(make_user())
    for match in owners:
        row = Match.objects.create(seat_count=3, status=Match.Status.VOID)
        Seat.objects.bulk_create(
            Seat(match=row, number=seat, version=bots[number].active, bot=bots[number])
            for seat, number in enumerate(match)
        )
        fleet.failed(name, row.pk)


@pytest.fixture
def waiting(monkeypatch):
    """A match waits; the walls of this process need no proof, and playing is only noted."""
    monkeypatch.setattr(worker.walls, "hold", lambda: True)
    monkeypatch.setenv("KARAT_WORKER", "here")
    taken = []
    monkeypatch.setattr(playing, "play", lambda lease, _: taken.append(lease.pk) or True)
    monkeypatch.setattr(worker, "pool", lambda: None)
    queue_match([make_player(), make_player(), make_player()])
    return taken


def test_a_worker_counts_what_it_takes_until_it_stored_something(waiting):
    here = register("here")
    worker.work()
    assert len(waiting) == 1
    here.refresh_from_db()
    assert (here.finished, here.unfinished, here.taking_since is None) == (0, 1, False)
    Match.objects.update(status=Match.Status.QUEUED)
    finish_match(Match.objects.get(), worker="here")
    here.refresh_from_db()
    assert (here.finished, here.unfinished, here.taking_since) == (1, 0, None)


def test_a_drained_worker_takes_nothing_until_it_is_taken_back(waiting):
    register("here")
    call_command("drain", "here", "--wait")
    worker.work()
    assert waiting == []
    assert status()["workers"][0]["refuses"] == "it is being drained"
    call_command("undrain", "here")
    worker.work()
    assert len(waiting) == 1


def test_a_worker_of_another_code_than_the_control_process_takes_nothing(waiting):
    register("here", version="old")
    assert fleet.lead("old")
    assert fleet.lead("new")
    assert not fleet.lead("new")
    worker.work()
    assert waiting == []
    assert fleet.refusal("here") == "its code version is old, that of the league is new"
    Worker.objects.update(version="new")
    worker.work()
    assert len(waiting) == 1


def test_nobody_drains_a_worker_that_is_not_there():
    with pytest.raises(CommandError, match="no worker 'ghost'"):
        call_command("drain", "ghost")


@pytest.mark.parametrize(
    ("unfinished", "minutes", "capacity", "aside"),
    [
        pytest.param(3, 11, 2, True, id="three in eleven minutes"),
        pytest.param(3, 9, 2, False, id="not for long enough"),
        pytest.param(2, 60, 2, False, id="two were lost and nothing else waited"),
        pytest.param(7, 0, 2, True, id="five more than it can be playing, at any pace"),
        pytest.param(4, 60, 8, False, id="fewer than it plays at once"),
    ],
)
def test_a_worker_that_takes_matches_and_finishes_none_is_set_aside(
    unfinished, minutes, capacity, aside
):
    since = timezone.now() - timedelta(minutes=minutes)
    register("here", unfinished=unfinished, taking_since=since, capacity=capacity)
    fail_matches("here", [[n, n + 1, n + 2] for n in range(7)])
    assert quarantine.quarantine_unhealthy() == (["here"] if aside else [])
    assert quarantine.quarantine_unhealthy() == []


def test_what_a_worker_plays_when_it_is_set_aside_is_given_to_others():
    match = queue_match([make_player(), make_player(), make_player()])
    register("here", unfinished=9)
    fail_matches("here", [[n] for n in range(4)])
    lease = services.claim("here")
    quarantine.quarantine_unhealthy()
    match.refresh_from_db()
    assert match.status == Match.Status.QUEUED
    assert not leases.held(Match, lease).exists()


@pytest.mark.parametrize(
    ("own", "others", "bad"),
    [
        pytest.param(Count(30, 12), Count(300, 6), True, id="forty in a hundred against two"),
        pytest.param(Count(30, 12), Count(300, 120), False, id="all are as bad: it is the bots"),
        pytest.param(Count(30, 4), Count(300, 0), False, id="too few to be sure"),
        pytest.param(Count(10, 10), Count(300, 0), False, id="too few matches"),
        pytest.param(Count(300, 150), Count(10, 0), False, id="nobody to compare with"),
        pytest.param(Count(2000, 60), Count(2000, 40), False, id="chance"),
    ],
)
def test_a_worker_is_suspected_only_if_bots_fail_there_far_more_often(own, others, bad):
    assert ("own" in suspects({"own": own, "others": others})) is bad


def test_doubt_comes_before_certainty():
    early = {"own": Count(20, 4), "others": Count(200, 2)}
    assert suspects(early) == {}
    assert set(suspects(early, DOUBT)) == {"own"}


@pytest.fixture
def sick():
    """Two workers; on one of them bots are too slow far more often."""
    versions = [make_player(make_user()).active for _ in range(3)]
    for name, faulty in (("sick", 10), ("well", 0)):
        register(name)
        finished = {"status": Match.Status.FINISHED, "finished_at": timezone.now(), "worker": name}
        matches = Match.objects.bulk_create(Match(seat_count=3, **finished) for _ in range(22))
        for number, match in enumerate(matches[:faulty]):
            version = versions[number % 3]
            seat = Seat.objects.create(match=match, number=0, version=version, bot=version.bot)
            StoredFault.objects.create(seat=seat, version=version, code="E302")


@pytest.mark.usefixtures("sick")
def test_a_worker_that_makes_bots_slow_is_set_aside_and_its_faults_do_not_count():
    counts = quarantine.counts()
    assert counts["well"] == Count(22, 0)
    assert counts["sick"][:2] == (22, 10)
    assert sorted(counts["sick"].by_owner.values()) == [3, 3, 4]
    assert quarantine.doubts("sick", SLOW)
    assert not quarantine.doubts("well", SLOW)
    assert not quarantine.doubts("sick", [Fault(0, 3, "E301", "Not legal.")])
    assert quarantine.quarantine_unhealthy() == ["sick"]
    assert fleet.refusal("sick").startswith(
        "it is in quarantine: bots were too slow or crashed in 10"
    )
    assert fleet.refusal("well") is None


@pytest.mark.usefixtures("sick")
def test_a_timeout_on_a_doubted_worker_does_not_count_before_another_one_has_played_the_match():
    slow = make_bot(make_user())
    make_version(slow, SOURCE.replace("return options[0]", "while True: pass"))
    slow.refresh_from_db()
    match = queue_match([slow, make_player(), make_player()])
    with closing(Pool(3, settings.LIMITS)) as pool:
        assert not playing.play(services.claim("sick"), pool)
        match.refresh_from_db()
        assert (match.status, match.attempt) == (Match.Status.QUEUED, 1)
        assert not StoredFault.objects.filter(seat__match=match).exists()
        assert playing.play(services.claim("well"), pool)
    assert StoredFault.objects.get(seat__match=match).code == "E302"


def test_a_finished_match_is_never_taken_back_by_setting_its_worker_aside():
    match = finish_match(queue_match([make_player(), make_player(), make_player()]))
    register("test", unfinished=9)
    fail_matches("test", [[n] for n in range(4)])
    assert quarantine.quarantine_unhealthy() == ["test"]
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
