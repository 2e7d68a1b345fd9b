"""The terms of an event night: what fits together, and how they are handed on."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.errors import Refused
from league.tournaments.models import RecurringTournament, Tournament
from league.tournaments.sealing import presentation
from league.tournaments.sealing.terms import MAX_MINUTES
from league.tournaments.services import lifecycle, recurring
from tests.league.asking import ask
from tests.league.factories import GAME, NEXT_YEAR, make_key, make_tournament, make_user
from tests.league.tournaments.test_making import FORM

pytestmark = pytest.mark.django_db

WRONG = [
    pytest.param({"sealed_from": 3}, "with 64 bots there are 2 rounds", id="no such round"),
    pytest.param({"sealed_from": -1}, "Choose a round from 1 to", id="a negative round"),
    pytest.param({"freeze_after_minutes": 0}, "The freeze: choose 1 to", id="frozen at once"),
    pytest.param(
        {"sealed_from": 1, "reveal_after_minutes": MAX_MINUTES + 1}, "The first reveal", id="late"
    ),
    pytest.param(
        {"sealed_from": 1, "reveal_every_minutes": 0}, "The time between reveals", id="no time"
    ),
    pytest.param({"reveal_after_minutes": 5}, "There is nothing to reveal", id="nothing sealed"),
]


@pytest.mark.parametrize(("terms", "reason"), WRONG)
def test_terms_that_do_not_fit_are_refused_and_nothing_is_stored(terms, reason):
    with pytest.raises(Refused, match=reason):
        make_tournament(make_user(), **terms)
    assert not Tournament.objects.exists()
    cron = {"cron": "30 18 * * FRI", "zone": "UTC"}
    config = {"format": "swiss", "seats": 3, "rounds": 2}
    with pytest.raises(Refused, match=reason):
        recurring.create_recurring(make_user(), "Friday Gala", GAME, config, **cron, **terms)
    assert not RecurringTournament.objects.exists()


def test_a_draft_cannot_be_changed_to_terms_that_do_not_fit():
    draft = make_tournament(make_user(), sealed_from=2)
    config = {"format": "swiss", "seats": 3, "rounds": 1}
    with pytest.raises(Refused, match="Round 2 cannot be sealed"):
        lifecycle.change(draft, draft.organiser, draft.name, GAME, config, sealed_from=2)


def test_terms_of_an_event_that_nobody_organises_stay_scheduled_whoever_changes_them():
    draft = make_tournament(None, sealed_from=1, reveal_after_minutes=0)
    staff = make_user(is_staff=True)
    with pytest.raises(Refused, match="its reveals need a schedule"):
        lifecycle.change(draft, staff, draft.name, GAME, draft.config, sealed_from=1)


def test_the_form_takes_them_and_says_at_the_field_what_is_wrong(client):
    client.force_login(make_user())
    event = {"sealed_from": "2", "freeze_after_minutes": "45", "reveal_after_minutes": "90"}
    answer = client.post("/tournaments/new/", {**FORM, **event, "sealed_from": "99", "do": "draft"})
    assert answer.status_code == 422
    assert "Round 99 cannot be sealed" in answer.context["form"].errors["sealed_from"][0]
    client.post("/tournaments/new/", {**FORM, **event, "do": "draft"})
    stored = Tournament.objects.get()
    assert (stored.sealed_from, stored.freeze_after_minutes) == (2, 45)
    assert (stored.reveal_after_minutes, stored.reveal_every_minutes) == (90, 5)
    edit = client.get(f"/tournaments/{stored.slug}/edit/")
    assert edit.context["form"]["sealed_from"].value() == 2
    rules = client.get(f"/tournaments/{stored.slug}/rules/").content.decode()
    for sentence in presentation.rules(stored):
        assert sentence in rules


def test_a_recurring_event_hands_its_terms_on():
    terms = {"sealed_from": 1, "freeze_after_minutes": 30, "reveal_after_minutes": 60}
    config = {"format": "swiss", "seats": 3, "rounds": 2}
    cron = {"cron": "*/5 * * * *", "zone": "UTC", "entry_minutes": 30}
    row = recurring.create_recurring(None, "Gala", GAME, config, **cron, **terms)
    recurring.open_due_tournaments(row, timezone.now() + timedelta(minutes=1))
    held = row.occurrences.first()
    assert {name: getattr(held, name) for name in terms} == terms


def test_the_api_creates_and_shows_an_event_night():
    body = {
        "name": "Gala",
        "game": GAME,
        "config": {"format": "swiss", "seats": 3, "rounds": 2},
        "starts_at": f"{NEXT_YEAR}-03-06T18:30:00Z",
        "sealed_from": 1,
        "reveal_after_minutes": 30,
    }
    key = make_key(make_user())
    answer = ask("tournaments", method="POST", key=key, send=body)
    assert answer.status_code == 201, answer.content
    event = ask("tournaments/gala").json()
    assert (event["sealed_from"], event["reveal_after_minutes"]) == (1, 30)
    assert (event["sealed_round"], event["frozen_at"], event["final_places"]) == (
        None,
        None,
        [],
    )
    refused = ask("tournaments", method="POST", key=key, send=body | {"sealed_from": 9})
    assert refused.status_code == 422
    assert Tournament.objects.count() == 1
