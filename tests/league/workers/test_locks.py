"""Results that are stored at the same moment wait for each other, never in a circle."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from uuid import uuid4

import psycopg
import pytest
from django.db import connection
from django.db.models import Value
from django.db.models.functions import Concat

from league.bots.models import Bot
from league.database.transactions import atomic_with_retries
from league.matches import revealing, services
from league.matches.models import Match, PendingBenchReason
from league.matches.statistics.rebuild import rebuild
from league.workers import storing
from runners.match import Fault
from tests.league import mirrored
from tests.league.factories import finish_match, make_bot, make_player, queue_match
from tests.league.home import SERVER

pytestmark = pytest.mark.stack


def queue_group(players):
    """One deal, every rotation of the seats."""
    group = uuid4()
    return [
        services.make(
            "basari",
            [bot.active for bot in players[turn:] + players[:turn]],
            Match.Kind.TOURNAMENT,
            seed="deal",
            group=group,
        )
        for turn in range(len(players))
    ]


@pytest.mark.django_db(transaction=True)
def test_rotations_that_finish_together_are_stored_and_shown(monkeypatch):
    matches = queue_group([make_player() for _ in range(3)])
    both_wrote = threading.Barrier(3)
    store_seats = storing._store_seats

    def store_seats_together(*args):
        # Whoever wrote its own match waits for the others, if they get so far.
        with suppress(threading.BrokenBarrierError):
            both_wrote.wait(1)
        store_seats(*args)

    monkeypatch.setattr(storing, "_store_seats", store_seats_together)

    def finish(match):
        try:
            finish_match(match)
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as people:
        list(people.map(finish, matches))
    assert list(Match.objects.values_list("status", "hidden")) == [("finished", False)] * 3


@pytest.mark.django_db(transaction=True)
def test_deals_that_are_shown_together_tell_why_a_version_is_benched(monkeypatch):
    players = [make_player() for _ in range(3)]
    deals = [queue_group(players) for _ in range(3)]
    for deal in deals:
        seat = deal[0].seats.get(bot=players[0]).number
        finish_match(deal[0], faults=[Fault(seat, 1, "E303", "it failed", "")])
        finish_match(deal[1])
    version = players[0].versions.get()
    assert version.benched_because == revealing.NOT_PUBLIC_YET
    all_hold_their_deal = threading.Barrier(3)
    store_seats = storing._store_seats

    def store_seats_together(*args):
        with suppress(threading.BrokenBarrierError):
            all_hold_their_deal.wait(1)
        store_seats(*args)

    monkeypatch.setattr(storing, "_store_seats", store_seats_together)

    def finish(deal):
        try:
            # In another order each: who fails is benched, and locks must not follow that.
            faults = [Fault(number, 1, "E303", "it failed", "") for number in range(3)]
            finish_match(deal[2], faults=faults[deals.index(deal) :])
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as people:
        list(people.map(finish, deals))
    version.refresh_from_db()
    assert version.benched_because.startswith("3 faults in its last")
    assert not PendingBenchReason.objects.exists()
    sums = rebuild(write=False)
    assert (sums.matches, sums.differences) == (9, 0), sums.named


@pytest.mark.django_db(transaction=True)
def test_two_transactions_that_wait_for_each_other_both_come_through():
    first, second = (make_bot().pk for _ in range(2))
    both_hold_one = threading.Barrier(2)

    @atomic_with_retries
    def write_both(*keys):
        for key in keys:
            Bot.objects.filter(pk=key).update(about=Concat("about", Value("x")))
            with suppress(threading.BrokenBarrierError):
                both_hold_one.wait(1)

    def write(keys):
        try:
            write_both(*keys)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as people:
        list(people.map(write, [(first, second), (second, first)]))
    assert list(Bot.objects.values_list("about", flat=True)) == ["xx", "xx"]


@pytest.mark.skipif(not SERVER, reason="a file has no connection that could break")
@pytest.mark.django_db(transaction=True)
def test_a_result_is_stored_although_the_connection_broke_while_it_was_played():
    match = queue_match([make_player() for _ in range(3)])

    def break_connection():
        pid = connection.connection.info.backend_pid
        address = {"host": connection.settings_dict["HOST"], "user": "karat"}
        with psycopg.connect(dbname="postgres", **address) as other:
            other.execute("select pg_terminate_backend(%s, 5000)", [pid])

    finish_match(match, meanwhile=break_connection)
    assert Match.objects.get().status == Match.Status.FINISHED


def test_four_processes_store_mirrored_games_without_a_deadlock(home):
    ended, result = mirrored.play(home, deals=30)
    assert ended == [0] * 5, home.errors()
    assert result == {
        "finished": 90,
        "played twice": 0,
        "hidden": 0,
        "records": 90,
        "rated": 90,
    }
    assert mirrored.deadlocks(home) in {None, 0}
