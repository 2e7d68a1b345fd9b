"""Reveals, freezes and results at the same moment come out as if they had come one by one."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from league.errors import Refused
from league.jobs import leases
from league.matches import services as matches
from league.matches.models import Match
from league.matches.records import codec
from league.matches.statistics.rebuild import rebuild as rebuild_statistics
from league.stage import services as wall
from league.tournaments.models import Tournament
from league.tournaments.queries.standing import Standing
from league.tournaments.sealing import queries, services
from league.tournaments.services import lifecycle, refereeing
from league.workers import storing
from runners.match import Fault
from tests.league.factories import finish_match
from tests.league.tournaments.sealing.events import make_event, move_on, play_all, play_waiting

pytestmark = pytest.mark.django_db(transaction=True)

FAILING = {"faults": [Fault(seat, 4, "E303", "KeyError", "Traceback") for seat in range(3)]}


def at_once(*acts):
    """Do all of it at the same moment; return what each returns, None for a refusal."""
    ready = threading.Barrier(len(acts))

    def one(act):
        ready.wait(10)
        try:
            return act()
        except Refused:
            return None
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as people:
        return list(people.map(one, acts))


def assert_consistent(event):
    """What is not sealed is public, counted, and nothing else is."""
    for match in Match.objects.filter(kind="tournament", status="finished"):
        assert match.hidden == match.sealed
    sums = rebuild_statistics(write=False)
    assert sums.differences == 0, sums.named


def reveal_all(event):
    event.refresh_from_db()
    while event.state == "running":
        services.reveal_next(event, event.organiser)
        event.refresh_from_db()


def test_many_who_press_at_once_reveal_one_thing():
    event = play_all(make_event())
    key = queries.next_reveal(event).key
    done = at_once(*[lambda: services.reveal_next(event, event.organiser, key)] * 4)
    assert sorted(map(str, done)) == ["None", "None", "None", "Revealed round 1."]
    assert event.rounds.filter(sealed=True).count() == 1
    assert_consistent(event)


def test_two_schedulers_reveal_one_thing_when_it_is_due():
    event = play_all(make_event(reveal_after_minutes=10))
    at = event.next_reveal_at
    at_once(*[lambda: services.reveal_due(event, at)] * 3)
    event.refresh_from_db()
    assert event.rounds.filter(sealed=True).count() == 1
    assert event.next_reveal_at == at + timedelta(minutes=5)


def test_a_result_that_is_stored_after_the_freeze_is_sealed():
    event = make_event(sealed_from=0, freeze_after_minutes=1)
    match = Match.objects.queued().first()
    finish_match(match, meanwhile=lambda: move_on(event, timedelta(minutes=2)), **FAILING)
    assert (match.status, match.hidden, match.sealed) == ("finished", True, True)
    assert Standing(event).games["over"] == 0
    assert_consistent(event)
    play_all(event)
    reveal_all(event)
    assert_consistent(event)


def test_a_result_that_is_being_stored_when_the_board_freezes_is_public_or_sealed(monkeypatch):
    event = make_event(sealed_from=0, freeze_after_minutes=1)
    match = Match.objects.queued().first()
    both_began = threading.Barrier(2)
    store_seats = storing._store_seats

    def store_seats_together(*args):
        # The row of the match is written and locked; the freeze comes now.
        with suppress(threading.BrokenBarrierError):
            both_began.wait(1)
        store_seats(*args)

    def freeze():
        with suppress(threading.BrokenBarrierError):
            both_began.wait(1)
        lifecycle.move_on(event, timezone.now() + timedelta(minutes=2))

    monkeypatch.setattr(storing, "_store_seats", store_seats_together)
    at_once(lambda: finish_match(match), freeze)
    match.refresh_from_db()
    event.refresh_from_db()
    assert event.frozen_at is not None
    assert match.hidden == match.sealed
    assert Standing(event).games["over"] == (not match.sealed)
    assert_consistent(event)


def test_a_deal_of_which_one_rotation_is_over_when_the_board_freezes_is_sealed_as_a_whole():
    config = {"format": "series", "seats": 3, "rounds": 1, "deals": 1, "mirrored": True}
    event = make_event(size=3, config=config, sealed_from=0, freeze_after_minutes=1)
    first, second, third = Match.objects.queued()
    finish_match(first)
    finish_match(second, meanwhile=lambda: move_on(event, timedelta(minutes=2)))
    finish_match(third)
    assert set(Match.objects.values_list("hidden", "sealed")) == {(True, True)}
    play_all(move_on(event))
    reveal_all(event)
    assert event.state == "final"
    assert_consistent(event)


def test_revealing_a_round_while_results_of_the_next_are_stored_blocks_nobody():
    event = make_event(size=6, config={"format": "swiss", "seats": 3, "rounds": 2, "deals": 2})
    play_waiting(**FAILING)
    move_on(event)
    waiting = list(Match.objects.queued())
    store = [lambda match=match: finish_match(match, **FAILING) for match in waiting]
    done = at_once(lambda: services.reveal_next(event, event.organiser), *store)
    assert done[0] == "Revealed round 1."
    assert Match.objects.public().count() == 4
    play_all(move_on(event))
    reveal_all(event)
    assert_consistent(event)


@pytest.mark.parametrize(
    "reveal",
    [
        pytest.param(lambda event: services.reveal_next(event, None), id="by hand"),
        pytest.param(lambda event: services.reveal_due(event, event.next_reveal_at), id="when due"),
        pytest.param(
            lambda event: wall.reveal(wall.stage_of(event), 0, event.organiser, ""), id="by phone"
        ),
        pytest.param(lambda event: lifecycle.cancel(event, None, "rain"), id="by cancelling"),
        pytest.param(lambda event: services.end_seal(event, None, "a test"), id="at the end"),
    ],
)
def test_the_records_of_a_reveal_are_read_before_its_transaction(monkeypatch, reveal):
    event = play_all(make_event(reveal_after_minutes=0))
    unpack, in_transaction = codec.unpack, []

    def unpack_and_note(data):
        in_transaction.append(connection.in_atomic_block)
        return unpack(data)

    monkeypatch.setattr(codec, "unpack", unpack_and_note)
    reveal(event)
    assert in_transaction
    assert not any(in_transaction)
    reveal_all(event)
    assert_consistent(event)


def test_cancelling_and_revealing_at_once_ends_with_everything_public():
    event = play_all(make_event())
    at_once(
        lambda: services.reveal_next(event, event.organiser),
        lambda: lifecycle.cancel(event, event.organiser, "rain"),
        lambda: services.end_seal(event, None, "its time is over"),
    )
    event.refresh_from_db()
    assert event.state in {"cancelled", "final"}
    assert not Match.objects.filter(hidden=True).exists()
    assert not event.rounds.filter(sealed=True).exists()
    assert_consistent(event)


def test_a_match_that_is_played_while_its_event_is_cancelled_is_public_at_its_end():
    event = make_event()
    match = Match.objects.queued().first()
    finish_match(match, meanwhile=lambda: lifecycle.cancel(event, event.organiser, "rain"))
    assert (match.status, match.hidden, match.sealed) == ("finished", False, False)
    # It counts from its end on, which came after that of the seal.
    assert match.counts_at == match.finished_at
    assert_consistent(event)


def test_a_sealed_match_whose_workers_die_is_void_and_says_nothing_until_the_reveal():
    event = make_event(size=3, config={"format": "swiss", "seats": 3, "rounds": 1})
    for _ in range(leases.MAX_ATTEMPTS):
        lease = matches.claim("a worker that dies")
        assert lease is not None
        matches.give_back(lease, "it died")
    match = Match.objects.get(kind="tournament")
    assert (match.status, match.hidden, match.sealed) == ("void", True, True)
    event = move_on(event)
    assert Standing(event).games["over"] == 0
    reveal_all(event)
    assert event.state == "final"


def test_a_result_of_a_table_that_is_played_again_meanwhile_is_stored_nowhere():
    event = make_event(size=3, config={"format": "swiss", "seats": 3, "rounds": 1})
    old = Match.objects.queued().get()

    def play_again():
        refereeing.rerun_table(event, event.organiser, 1, 1, "a bad deal")

    with pytest.raises(AssertionError):
        finish_match(old, meanwhile=play_again)
    old.refresh_from_db()
    assert (old.status, old.hidden, old.sealed) == ("void", True, True)
    play_all(Tournament.objects.get(pk=event.pk))
    reveal_all(event)
    old.refresh_from_db()
    assert (event.state, old.hidden) == ("final", False)
    assert_consistent(event)
