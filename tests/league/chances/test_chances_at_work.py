"""Workers estimate the chances in finished matches when there is no job, once and bounded."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from bots_sdk.chances import estimate as estimating
from bots_sdk.chances.values import CHANCES_VERSION
from engine.registry import GAMES
from league.chances import estimating as brakes, queries, services
from league.chances.models import MAX_ATTEMPTS, MatchChances
from league.chances.spare_time import SpareTime
from league.matches.models import Match
from league.matches.records import codec
from league.workers import processes, worker
from tests.league.factories import make_match, make_player, queue_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    return [make_player(name=name) for name in ("Anton", "Berta", "Cleo")]


@pytest.fixture
def quick(monkeypatch):
    """A playout of each position is enough here."""
    monkeypatch.setattr(estimating, "MAX_PLAYOUTS", 1)


def computed():
    return MatchChances.objects.exclude(computed_at=None).order_by("computed_at")


def in_spare_time(spare_time, most=20):
    """How often in a row there was something to do."""
    return next(count for count in range(most) if not spare_time.use())


def test_a_match_gets_its_chances_and_what_there_is_to_watch(players):
    match = make_match(players)
    assert match.excitement == 0
    spare_time = SpareTime()
    assert spare_time.use()
    assert not spare_time.use()
    match.refresh_from_db()
    chances = queries.chances_of(match)
    assert chances.rows[-1].step == len(codec.unpack(bytes(match.record.data))["steps"]) - 1
    assert chances.version == CHANCES_VERSION
    assert match.excitement == chances.swing == match.chances.swing
    assert match.chances.finished_at == match.finished_at


def test_a_hidden_match_is_estimated_like_any_other(players, quick):
    match = make_match(players)
    Match.objects.filter(pk=match.pk).update(hidden=True)
    assert SpareTime().use()
    assert computed().get().match == match


def test_a_match_that_has_chances_is_left_alone_unless_their_version_is_old(players, quick):
    match = make_match(players)
    assert services.compute(match.pk)
    assert not services.compute(match.pk)
    MatchChances.objects.update(version=CHANCES_VERSION + 1, data={"of": "another version"})
    assert queries.chances_of(Match.objects.get()).rows == []
    assert services.compute(match.pk)
    assert queries.chances_of(Match.objects.get()).rows


def test_of_two_workers_at_one_match_only_one_computes_it(players, quick, monkeypatch):
    match = make_match(players)
    count = []
    monkeypatch.setattr(
        services, "chances_in", lambda *told: count.append(told) or brakes.chances_in(*told)
    )
    first, second = SpareTime(), SpareTime()
    for spare_time in (first, second):
        spare_time.note(match.pk)
    assert [first.use(), second.use()] == [True, False]
    assert len(count) == 1


@pytest.mark.django_db(transaction=True)
def test_claims_at_the_same_moment_end_in_one_row(players, quick):
    match = make_match(players)
    ready = Barrier(4)

    def one(_):
        ready.wait(10)
        try:
            return services.compute(match.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as people:
        won = list(people.map(one, range(4)))
    assert won.count(True) == 1
    assert queries.chances_of(Match.objects.get()).rows


def test_the_latest_match_comes_first_and_old_ones_are_left(players, quick):
    matches = [make_match(players) for _ in range(3)]
    old = timezone.now() - services.MAX_AGE - timedelta(minutes=1)
    Match.objects.filter(pk=matches[0].pk).update(finished_at=old)
    assert in_spare_time(SpareTime()) == 2
    assert [row.match for row in computed()] == [matches[2], matches[1]]


def test_the_bound_of_a_minute_is_kept(players, quick, settings):
    settings.CHANCES_PER_MINUTE = 2
    for _ in range(3):
        make_match(players)
    spare_time = SpareTime()
    assert in_spare_time(spare_time) == 2
    spare_time._begun_at[0] -= 60
    assert in_spare_time(spare_time) == 1


def test_switched_off_nothing_is_remembered_or_computed(players, settings):
    settings.CHANCES = False
    spare_time = SpareTime()
    spare_time.note(make_match(players).pk)
    assert not spare_time.use()
    assert not spare_time._waiting
    assert not MatchChances.objects.exists()


def test_a_process_at_rest_asks_the_database_nothing(players, quick, django_assert_num_queries):
    spare_time = SpareTime()
    make_match(players)
    in_spare_time(spare_time)
    with django_assert_num_queries(0):
        assert not spare_time.use()


def test_a_process_does_all_jobs_before_it_estimates_and_looks_for_jobs_between(
    players, monkeypatch
):
    did = []
    jobs = [["match 1", "match 2"], [], ["match 3"], []]

    def work(_):
        did.extend(jobs.pop(0) if jobs else [])

    def use():
        did.append("chances")
        return did.count("chances") < 3

    def wait(_):
        did.append("wait")
        worker.stopping.value = 1

    monkeypatch.setattr(worker, "work", work)
    monkeypatch.setattr(worker.spare_time, "use", use)
    monkeypatch.setattr(processes.wake_pipe, "wait", wait)
    try:
        processes.play(lambda _: None)
    finally:
        worker.stopping.value = 0
    assert did == ["match 1", "match 2", "chances", "chances", "match 3", "chances", "wait"]


def test_a_worker_that_has_to_stop_estimates_nothing(players, quick):
    make_match(players)
    worker.stopping.value = 1
    try:
        assert not worker.use_spare_time()
    finally:
        worker.stopping.value = 0
    assert not MatchChances.objects.exists()


@pytest.fixture
def forgetful(monkeypatch):
    """What a process remembers of games that fail."""
    monkeypatch.setattr(brakes, "_complaints", set())
    monkeypatch.setattr(brakes, "_slow_matches", Counter())


def test_a_game_that_fails_is_logged_once_and_its_matches_have_no_chances(
    players, monkeypatch, forgetful, caplog
):
    def break_down(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(type(GAMES["basari"].presentation), "rounds", break_down)
    for _ in range(2):
        make_match(players)
    assert in_spare_time(SpareTime()) == 2
    assert [row.data for row in computed()] == [{}, {}]
    assert caplog.text.count("the chances in a match of basari could not be estimated") == 1
    assert caplog.text.count("Traceback") == 1


def test_a_game_in_slow_motion_is_stopped_and_after_some_matches_left_alone(
    players, quick, monkeypatch, forgetful, caplog
):
    slow = [brakes.MAX_CPU_SECONDS, -1.0]
    asked = []
    monkeypatch.setattr(
        brakes, "estimate", lambda *told: asked.append(told) or estimating.estimate(*told)
    )
    # A match that is quick makes up for those before it.
    for seconds in (slow[1], *slow, *[slow[1]] * (brakes.MAX_SLOW_MATCHES - 1), slow[0]):
        monkeypatch.setattr(brakes, "MAX_CPU_SECONDS", seconds)
        assert services.compute(make_match(players).pk)
    assert [bool(row.data) for row in computed()] == [False, True, *[False] * 4]
    assert len(asked) == 5
    assert "TooSlow" in caplog.text


def test_a_worker_that_has_to_stop_leaves_what_it_began_to_others(players, quick):
    matches = [make_match(players) for _ in range(2)]
    calls = []

    def is_stopping():
        calls.append(1)
        return len(calls) > 20

    assert not SpareTime(is_stopping).use()
    assert len(calls) < 30
    assert not MatchChances.objects.exists()
    assert in_spare_time(SpareTime()) == len(matches)


def killed(match, monkeypatch):
    """A worker is killed while it computes the chances in a match."""

    def die(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(services, "chances_in", die)
        with pytest.raises(KeyboardInterrupt):
            services.compute(match.pk)


def later(time=services.CLAIM_AGE):
    for row in MatchChances.objects.all():
        MatchChances.objects.filter(pk=row.pk).update(claimed_at=row.claimed_at - time)


def test_what_a_killed_worker_began_is_done_by_another_one_but_not_for_ever(
    players, quick, monkeypatch
):
    match = make_match(players)
    for _ in range(MAX_ATTEMPTS):
        killed(match, monkeypatch)
        assert not services.compute(match.pk)
        later()
    assert not services.compute(match.pk)
    assert not SpareTime().use()
    assert services.compute(match.pk, anew=True)
    assert queries.chances_of(Match.objects.get()).rows


def test_a_new_version_tries_again_what_was_given_up(players, quick, monkeypatch):
    match = make_match(players)
    killed(match, monkeypatch)
    MatchChances.objects.update(attempts=MAX_ATTEMPTS, version=CHANCES_VERSION - 1)
    assert queries.without_chances().get() == match
    killed(match, monkeypatch)
    later()
    assert services.compute(match.pk)


def test_matches_of_tournaments_come_before_later_ones_of_the_ladder(players, quick):
    matches = [make_match(players) for _ in range(3)]
    Match.objects.filter(pk=matches[1].pk).update(kind=Match.Kind.TOURNAMENT)
    assert in_spare_time(SpareTime()) == 3
    assert [row.match for row in computed()] == [matches[1], matches[2], matches[0]]


def test_a_queued_or_deleted_match_has_nothing_to_estimate(players):
    queued = queue_match(players)
    assert not services.compute(queued.pk)
    assert not services.compute(queued.pk + 1)


def test_deleting_a_match_deletes_its_chances(players, quick):
    match = make_match(players)
    services.compute(match.pk)
    match.delete()
    assert not MatchChances.objects.exists()


def test_older_matches_are_estimated_by_a_command_some_at_a_time(players, quick, capsys):
    for _ in range(3):
        make_match(players)
    Match.objects.update(finished_at=timezone.now() - timedelta(days=30))
    call_command("rebuild_chances", "--matches", "2")
    assert computed().count() == 2
    assert capsys.readouterr().out == (
        "2 matches estimated\n1 match has no estimate of this version yet\n"
    )
    call_command("rebuild_chances")
    assert computed().count() == 3
    assert capsys.readouterr().out == "1 match estimated\n"
    before = list(computed().values_list("match", "data"))
    call_command("rebuild_chances", "--all")
    assert sorted(computed().values_list("match", "data"), key=str) == sorted(before, key=str)


def test_the_command_does_and_counts_what_killed_workers_left(players, quick, monkeypatch, capsys):
    abandoned, fresh, given_up = (make_match(players) for _ in range(3))
    killed(abandoned, monkeypatch)
    later()
    killed(fresh, monkeypatch)
    killed(given_up, monkeypatch)
    MatchChances.objects.filter(match=given_up).update(attempts=MAX_ATTEMPTS)
    call_command("rebuild_chances")
    assert computed().get().match == abandoned
    assert capsys.readouterr().out == (
        "1 match estimated\n1 match has no estimate of this version yet\n"
        "1 match given up; --all tries again\n"
    )
    call_command("rebuild_chances", "--all")
    assert capsys.readouterr().out == "3 matches estimated\n"
