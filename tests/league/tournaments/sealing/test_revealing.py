"""Sealed rounds and frozen boards: what is public when, and how it is revealed."""

from datetime import timedelta

import pytest

from league.matches.models import Match
from league.tournaments.queries.standing import Standing
from league.tournaments.sealing import queries, services
from tests.league.tournaments.sealing.events import make_event, move_on, play_all

pytestmark = pytest.mark.django_db


def test_a_sealed_round_is_played_and_nothing_of_it_is_public_until_it_is_revealed():
    event = play_all(make_event())
    assert (event.state, event.played_at is None) == ("running", False)
    assert not Match.objects.public().exists()
    standing = Standing(event)
    assert len(standing.rounds) == 1
    assert not any(list(table.played()) for table in standing.rounds[0].tables)
    step = queries.next_reveal(event)
    assert step is not None
    assert (step.ready, step.key) == (True, "round-1")
    assert services.reveal_next(event, event.organiser) == "Revealed round 1."
    assert Match.objects.public().count() == 2
    assert len(Standing(event).rounds) == 2
    services.reveal_next(event, event.organiser)
    event.refresh_from_db()
    assert event.state == "final"
    assert not Match.objects.filter(hidden=True).exists()
    assert 1 in event.entries.values_list("place", flat=True)


def test_a_frozen_board_shows_places_one_by_one_from_the_last():
    event = make_event(sealed_from=0, freeze_after_minutes=1)
    play_all(move_on(event, timedelta(minutes=2)))
    assert not Match.objects.public().exists()
    while event.state == "running":
        services.reveal_next(event, event.organiser)
        event.refresh_from_db()
    assert not Match.objects.filter(hidden=True).exists()
