"""A league at rest asks its database little: what a tick and a look cost is held as statements."""

import gzip
import json
import signal
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.control.clock import Chore, Clock
from league.database.packing import pack
from league.jobs.folder_watch import FolderWatch
from league.jobs.interruptible import Pause
from league.ladder import services as ladder, tasks as ladder_tasks
from league.ladder.models import Ladder, LadderRating
from league.matches.models import Match
from league.operate import retention, tasks as operate_tasks
from league.tournaments import tasks as tournament_tasks
from league.workers import queue, worker
from tests.league.factories import make_player

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.json"))


@pytest.fixture
def settled_league(db):
    for _ in range(4):
        make_player()
    ladder.ensure()
    ladder.enrol()
    LadderRating.objects.update(matches=500, sigma=0.7)
    for _ in range(2):
        ladder_tasks.tick()
        Match.objects.all().delete()
    Ladder.objects.update(played_at=timezone.now())


def test_a_tick_of_a_settled_league_takes_four_statements(settled_league):
    with CaptureQueriesContext(connection) as statements:
        ladder_tasks.tick()
        tournament_tasks.tick()
        operate_tasks.start_verifications()
    assert len(statements) <= 4, [one["sql"] for one in statements]


@pytest.mark.django_db(transaction=True)
def test_a_league_in_which_nothing_is_too_old_begins_no_transaction():
    with CaptureQueriesContext(connection) as statements:
        retention.remove_old_logs()
        retention.remove_expired()
    sql = [one["sql"] for one in statements]
    assert all(one.startswith("SELECT") for one in sql), sql


@pytest.mark.django_db(transaction=True)
def test_chores_of_one_interval_stay_together():
    ticks, pauses = [], []

    class CountedPause(Pause):
        def wait(self, seconds, files=()):
            pauses.append(seconds)
            super().wait(seconds, files)

    def stop_at_last():
        if len(ticks) == 9:
            clock._stop()

    names = ("first", "second", "third")
    chores = [Chore(partial(ticks.append, name), 0.2) for name in names]
    clock = Clock([*chores, Chore(stop_at_last, 0.2)])
    clock._pause = CountedPause()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        clock.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert ticks == [*names] * 3
    assert len(pauses) == 3


def test_a_look_into_an_empty_queue_takes_two_statements(settled_league):
    with CaptureQueriesContext(connection) as statements:
        assert queue.Claimer("here").claim(worker.duty.free) is None
    assert len(statements) <= 2, [one["sql"] for one in statements]


def test_a_ladder_is_not_at_rest_when_a_bot_comes_or_its_pause_is_over(settled_league, settings):
    assert ladder.at_rest() == set(Ladder.objects.values_list("pk", flat=True))
    before = timezone.now() - timedelta(seconds=settings.LADDER_TRICKLE_SECONDS + 1)
    Ladder.objects.filter(game="basari").update(played_at=before)
    assert "basari" not in ladder.at_rest()
    Ladder.objects.update(played_at=timezone.now())
    make_player()
    ladder_tasks.tick()
    assert Match.objects.queued().exists()


def test_a_watch_ends_when_a_file_gets_its_name(tmp_path):
    watch = FolderWatch(tmp_path)
    (tmp_path / "partial").touch()
    (tmp_path / "partial").rename(tmp_path / "whole")
    watch.wait(60)
    watch.close()


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_packed_record_has_the_bytes_that_json_writes(path):
    record = json.loads(path.read_text())
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    assert pack(record) == gzip.compress(text.encode(), compresslevel=6, mtime=0)
