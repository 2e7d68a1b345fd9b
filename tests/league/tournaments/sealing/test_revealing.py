"""Sealed rounds and frozen boards: what is public when, and how it is revealed."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.errors import Refused
from league.matches import services as matches
from league.matches.models import Match, Meeting, Seat
from league.tournaments import tasks
from league.tournaments.models import Tournament
from league.tournaments.queries.standing import Standing
from league.tournaments.sealing import presentation, queries, services
from league.tournaments.services import entries, refereeing
from tests.league.factories import finish_match, make_user
from tests.league.tournaments.sealing.events import (
    assert_all_is_public,
    make_event,
    move_on,
    play_all,
    play_round,
    play_waiting,
    reveal,
)

pytestmark = pytest.mark.django_db


def results_of(event):
    """Return how many results of each public round are public."""
    rounds = Standing(event).rounds
    return [sum(len(list(table.played())) for table in one.tables) for one in rounds]


def test_sealed_rounds_are_played_and_public_only_when_they_are_revealed():
    event = play_all(make_event(config={"format": "swiss", "seats": 3, "rounds": 3}, sealed_from=2))
    assert (event.state, event.played_at is None) == ("running", False)
    # The pairings of the first sealed round follow from what is public, the next ones do not.
    assert results_of(event) == [2, 0]
    first = dict(event.entries.values_list("pk", "place"))
    assert reveal(event) == "Revealed round 2."
    assert results_of(event) == [2, 2, 0]
    assert dict(event.entries.values_list("pk", "place")) != first
    assert Meeting.objects.exists()
    assert reveal(event) == "Revealed round 3."
    assert event.state == "final"
    assert [action.what for action in event.actions.all()[:3]] == [
        "it is final",
        "revealed round 3",
        "revealed round 2",
    ]
    assert_all_is_public(event)


def test_a_reveal_gives_what_the_same_event_without_a_seal_would_have():
    event = play_all(make_event())
    seeds = {"master_seed": event.master_seed}
    while event.state == "running":
        reveal(event)
    final = [(row.entry, row.place, row.points) for row in Standing(event).rows]
    Tournament.objects.filter(pk=event.pk).update(**seeds)
    assert sorted(event.entries.values_list("pk", "place")) == sorted(
        (entry, place) for entry, place, _ in final
    )


def test_what_is_not_over_cannot_be_revealed():
    event = make_event()
    with pytest.raises(Refused, match="Round 1 cannot be revealed yet"):
        reveal(event)
    play_round(event)
    reveal(event)
    with pytest.raises(Refused, match="Round 2 cannot be revealed yet"):
        reveal(event)
    assert Match.objects.public().count() == 2


def test_pressing_twice_reveals_once():
    event = play_all(make_event())
    key = queries.next_reveal(event).key
    services.reveal_next(event, event.organiser, key)
    with pytest.raises(Refused, match="revealed already"):
        services.reveal_next(event, event.organiser, key)
    assert event.rounds.filter(sealed=True).count() == 1


def test_a_frozen_board_shows_what_was_over_and_then_the_places_from_the_last():
    event = make_event(sealed_from=0, freeze_after_minutes=30)
    finish_match(Match.objects.queued().first())
    move_on(event, timedelta(minutes=29))
    assert event.frozen_at is None
    move_on(event, timedelta(minutes=31))
    assert event.frozen_at is not None
    play_all(event)
    assert results_of(event) == [1]
    assert queries.places(event) == [None] * 6
    sizes = []
    while event.state == "running":
        assert reveal(event).startswith("Revealed place")
        if event.state == "running":
            revealed = [row is not None for row in queries.places(event)]
            assert revealed == sorted(revealed)
            sizes.append(sum(revealed))
            assert results_of(event) == [1]
    assert sizes == sorted(set(sizes))
    assert queries.places(event) == []
    assert results_of(event) == [2, 2]
    assert_all_is_public(event)


def test_those_who_share_a_place_are_revealed_together():
    event = make_event(size=3, config={"format": "series", "seats": 3, "rounds": 1})
    play_waiting()
    Seat.objects.update(place=1, score=10)
    event = move_on(event)
    Tournament.objects.filter(pk=event.pk).update(frozen_at=timezone.now())
    event.rounds.update(frozen=True)
    event.refresh_from_db()
    # Nothing tells that the others share it, too.
    assert "place 3" in queries.next_reveal(event).sentence
    assert reveal(event) == "Revealed place 3 and all results."
    assert event.state == "final"
    assert {entry.place for entry in event.entries.all()} == {1}


def test_sealed_rounds_come_before_the_places_of_the_frozen_board():
    config = {"format": "swiss", "seats": 3, "rounds": 3}
    event = make_event(config=config, sealed_from=1, freeze_after_minutes=30)
    play_round(event)
    move_on(event, timedelta(minutes=31))
    play_all(event)
    assert [(row.number, row.frozen) for row in queries.sealed_rounds(event)] == [
        *((1, False), (2, True), (3, True)),
    ]
    assert reveal(event) == "Revealed round 1."
    assert results_of(event) == [2, 0]
    assert queries.next_reveal(event).key == "place-6"


def test_the_schedule_reveals_when_it_is_time_and_the_games_are_over():
    event = make_event(reveal_after_minutes=10, reveal_every_minutes=5)
    at = event.started_at + timedelta(minutes=10)
    assert event.next_reveal_at == at
    services.reveal_due(event, at)
    event.refresh_from_db()
    assert event.rounds.get().sealed
    play_round(event)
    services.reveal_due(event, at - timedelta(seconds=1))
    assert not event.rounds.filter(sealed=False).exists()
    services.reveal_due(event, at)
    event.refresh_from_db()
    assert event.rounds.get(number=1).revealed_at is not None
    play_all(event)
    services.reveal_due(event, at + timedelta(seconds=1))
    assert event.rounds.get(number=2).sealed
    Tournament.objects.filter(pk=event.pk).update(next_reveal_at=timezone.now())
    tasks.tick()
    event.refresh_from_db()
    assert event.state == "final"


def test_a_void_match_of_a_sealed_round_stays_sealed_and_counts_as_average():
    event = make_event(size=3, config={"format": "swiss", "seats": 3, "rounds": 1})
    match = Match.objects.queued().get()
    assert matches.cancel(match, "no worker could play it")
    event = move_on(event)
    assert results_of(event) == [0]
    assert not Match.objects.public().exists()
    reveal(event)
    assert event.state == "final"
    assert_all_is_public(event)


@pytest.mark.parametrize("do", ["rerun", "void"])
def test_a_table_of_a_sealed_round_can_be_played_again_or_voided(do):
    event = make_event()
    refereeing.pause(event, event.organiser, paused=True)
    play_round(event)
    old = Match.objects.filter(tournament_game__table=1).get()
    act = refereeing.rerun_table if do == "rerun" else refereeing.void_table
    act(event, event.organiser, 1, 1, "a bad deal")
    event.refresh_from_db()
    old.refresh_from_db()
    assert (old.status, old.hidden, old.sealed) == ("void", True, True)
    play_round(event)
    assert results_of(event) == [0]
    reveal(event)
    old.refresh_from_db()
    assert (old.hidden, old.sealed) == (False, False)
    assert results_of(event) == [2]
    assert_all_is_public(event)


def test_playing_a_table_again_while_places_are_revealed_begins_with_the_last_place_again():
    event = make_event(sealed_from=0, freeze_after_minutes=1)
    play_all(move_on(event, timedelta(minutes=2)))
    reveal(event)
    assert event.places_shown
    refereeing.rerun_table(event, event.organiser, 2, 1, "a bad deal")
    event.refresh_from_db()
    assert (event.places_shown, event.played_at) == (0, None)
    play_all(event)
    assert event.played_at is not None
    reveal(event)
    gone = event.entries.order_by("pk").first()
    refereeing.disqualify(event, event.organiser, gone.bot.slug, "two bots of one author")
    event.refresh_from_db()
    assert event.places_shown == 0
    while event.state == "running":
        reveal(event)
    assert queries.sealed_rounds(event) == []
    assert_all_is_public(event)


def test_who_withdraws_in_the_middle_plays_no_further_round_and_stands_last():
    event = make_event(size=7)
    gone = event.entries.order_by("pk").first()
    entries.withdraw(event, gone.bot, gone.bot.owner)
    play_all(event)
    while event.state == "running":
        reveal(event)
    gone.refresh_from_db()
    assert gone.place is None
    assert_all_is_public(event)


def test_nobody_withdraws_once_all_games_are_played_unless_staff_take_a_bot_out():
    event = play_all(make_event())
    entry = event.entries.order_by("pk").first()
    with pytest.raises(Refused, match="All games of Gala are played"):
        entries.withdraw(event, entry.bot, entry.bot.owner)
    entry.refresh_from_db()
    assert entry.status == "playing"
    entries.withdraw(event, entry.bot, make_user(is_staff=True))
    entry.refresh_from_db()
    assert entry.status == "withdrawn"


@pytest.mark.parametrize("rounds_before", [0, 1, 2])
def test_what_is_told_of_the_freeze_does_not_tell_how_far_it_is(rounds_before):
    event = make_event(sealed_from=1, freeze_after_minutes=30)
    for _ in range(rounds_before):
        play_round(event)
    event = move_on(event, timedelta(minutes=31))
    told = presentation.notice(event)
    assert (told.round, told.frozen_at, told.freezes_at) == (1, event.frozen_at, None)
    assert event.frozen_at is not None
    assert queries.places(event) == [None] * 6
    play_all(event)
    while event.state == "running":
        reveal(event)
    assert_all_is_public(event)


@pytest.mark.parametrize("sealed_from", [0, 1])
def test_the_log_of_a_round_that_was_sealed_before_the_freeze_stays_closed(sealed_from):
    event = make_event(sealed_from=sealed_from, freeze_after_minutes=30)
    event = move_on(event, timedelta(minutes=31))
    since = event.rounds.get().started_at if sealed_from else event.frozen_at
    assert queries.sealed_since(event) == since


def test_the_organiser_reveals_from_the_console_and_the_referee_does_not(client):
    event = play_all(make_event())
    referee = make_user()
    refereeing.appoint(event, event.organiser, referee, "referee")
    console = f"/tournaments/{event.slug}/manage/"
    client.force_login(referee)
    assert "<button>Reveal next" not in client.get(console).content.decode()
    assert client.post(f"{console}reveal/").status_code == 403
    client.force_login(event.organiser)
    assert "<button>Reveal next" in client.get(console).content.decode()
    answer = client.post(f"{console}reveal/", {"key": "round-1"}, follow=True)
    assert "Revealed round 1." in answer.content.decode()
    assert event.actions.first().user == event.organiser
    answer = client.post(f"{console}reveal/", {"key": "round-1"}, follow=True)
    assert "revealed already" in answer.content.decode()
    assert event.rounds.filter(sealed=True).count() == 1
