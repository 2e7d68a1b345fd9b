"""When a seal ends by itself, and what does not put that off."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.accounts import services as accounts
from league.errors import Refused
from league.matches.models import Match
from league.tournaments import tasks
from league.tournaments.sealing import queries, services
from league.tournaments.services import lifecycle, refereeing
from tests.league.tournaments.sealing.events import (
    assert_all_is_public,
    make_event,
    move_on,
    play_all,
    play_round,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "end",
    [
        pytest.param("time", id="a day after the last game"),
        pytest.param("organiser", id="its organiser has left"),
        pytest.param("banned", id="its organiser was deactivated"),
        pytest.param("cancel", id="it was cancelled"),
    ],
)
def test_a_seal_ends_by_itself(end, settings):
    event = play_round(make_event(sealed_from=1, freeze_after_minutes=600))
    if end == "time":
        play_all(event)
        over = Match.objects.latest("finished_at").finished_at
        assert queries.seal_ends_at(event) == over + timedelta(hours=settings.SEAL_HOURS)
        services.reveal_due(event, over + timedelta(hours=settings.SEAL_HOURS, seconds=-1))
        assert event.rounds.filter(sealed=True).exists()
        services.reveal_due(event, over + timedelta(hours=settings.SEAL_HOURS))
    elif end == "cancel":
        lifecycle.cancel(event, event.organiser, "rain")
    elif end == "banned":
        event.organiser.is_active = False
        event.organiser.save()
        tasks.tick()
    else:
        accounts.delete_account(event.organiser)
        tasks.tick()
    event.refresh_from_db()
    assert event.state == {"time": "final", "cancel": "cancelled"}.get(end, "running")
    assert_all_is_public(event)
    play_all(event)
    assert_all_is_public(event)


def test_a_pause_does_not_keep_a_seal():
    event = make_event()
    refereeing.pause(event, event.organiser, paused=True)
    play_round(event)
    services.reveal_due(event, timezone.now() + timedelta(hours=25))
    event.refresh_from_db()
    assert event.unsealed_at is not None
    assert_all_is_public(event)
    refereeing.pause(event, event.organiser, paused=False)
    play_all(move_on(event))
    event.refresh_from_db()
    assert event.state == "final"


def test_a_seal_ends_even_if_its_tournament_cannot_go_on():
    event = make_event()
    refereeing.pause(event, event.organiser, paused=True)
    play_round(event)
    refereeing.pause(event, event.organiser, paused=False)
    event.refresh_from_db()
    services.reveal_due(event, timezone.now() + timedelta(hours=25))
    event.refresh_from_db()
    assert event.unsealed_at is not None


def test_voiding_does_not_put_off_the_end_of_a_seal():
    event = play_all(make_event())
    ends_at = queries.seal_ends_at(event)
    refereeing.void_table(event, event.organiser, 2, 1, "a bad deal")
    event.refresh_from_db()
    event = move_on(event)
    assert event.played_at is not None
    assert queries.seal_ends_at(event) == ends_at
    with pytest.raises(Refused, match="Pod A of round 2 is void already"):
        refereeing.void_table(event, event.organiser, 2, 1, "a bad deal")
    assert event.rounds.get(number=2).finished_at is not None


def test_nobody_in_charge_and_no_schedule_is_refused():
    with pytest.raises(Refused, match="its reveals need a schedule"):
        make_event(organiser=None)
    event = make_event(organiser=None, reveal_after_minutes=0)
    assert play_all(event).state == "running"
    tasks.tick()
    assert event.rounds.filter(sealed=True).count() == 1
