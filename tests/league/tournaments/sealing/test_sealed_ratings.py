"""A rated event is appended to the ledger at its reveal, after whatever was rated meanwhile."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from league.ladder.models import RatingChange, RatingDay
from league.ladder.ratings import rebuild
from league.matches.models import Match
from league.tournaments.sealing import services
from league.tournaments.services import lifecycle
from tests.league.factories import GAME, make_match, make_user, rate_all
from tests.league.tournaments.sealing.events import make_event, play_all, play_waiting

pytestmark = pytest.mark.django_db


def test_a_ledger_with_a_late_reveal_is_recomputed_to_the_last_digit():
    event = make_event(organiser=make_user(is_organiser=True), rated=True)
    bots = [entry.bot for entry in event.entries.select_related("bot")]
    rate_all()
    play_all(event)
    # They were played yesterday, and others today.
    sealed = Match.objects.filter(sealed=True)
    sealed.update(finished_at=Now() - timedelta(days=1))
    assert sealed.count() == 4
    later = make_match(bots[:3])
    rate_all()
    later.refresh_from_db()
    assert later.ledger_position == 1
    while event.state == "running":
        services.reveal_next(event, event.organiser)
        event.refresh_from_db()
        rate_all()
    assert set(Match.objects.values_list("ledger_position", flat=True)) == set(range(1, 6))
    assert rebuild.rebuild(GAME, write=False).named == []
    # Charts and days follow the ledger: nothing changes before the reveal.
    lines = RatingChange.objects.order_by("ledger_position", "seat")
    moments = list(lines.values_list("created_at", flat=True))
    assert moments == sorted(moments)
    assert RatingDay.objects.values("day").distinct().count() == 1
    assert rebuild.rebuild(GAME, write=True).differences == 0


def rated_event():
    """A rated event night of one round and two tables."""
    config = {"format": "swiss", "seats": 3, "rounds": 1}
    return make_event(organiser=make_user(is_organiser=True), rated=True, config=config)


def test_a_writer_that_is_late_rates_a_reveal_after_what_was_public_before_it():
    event = play_all(rated_event())
    bots = [entry.bot for entry in event.entries.select_related("bot")]
    public = make_match(bots[:3])
    services.reveal_next(event, event.organiser)
    rate_all()
    public.refresh_from_db()
    assert public.ledger_position == 1
    moments = RatingChange.objects.order_by("ledger_position").values_list("created_at", flat=True)
    assert list(moments) == sorted(moments)


def test_a_cancelled_event_says_that_its_games_count_for_ratings(client):
    event = rated_event()
    play_waiting()
    lifecycle.cancel(event, event.organiser, "rain")
    rate_all()
    assert set(Match.objects.values_list("ledger_position", flat=True)) == {1, 2}
    page = client.get(event.get_absolute_url()).content.decode()
    assert "games that were played count for ratings" in page
    assert "None of it counts" not in page
