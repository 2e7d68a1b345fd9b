"""The page on which tournaments are created: what it takes, and why it does not."""

import pytest

from league.tournaments.models import RecurringTournament, Tournament
from league.tournaments.services import recurring
from tests.league.factories import NEXT_YEAR, make_user
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db

FORM = {
    "name": "Sunday Cup",
    "game": "basari",
    "seats": 4,
    "format": "swiss",
    "rounds": 5,
    "deals": 12,
    "mirrored": "on",
    "max_entries": 64,
    "per_user": 2,
    "versions": "frozen",
    "starts_at": f"{NEXT_YEAR}-03-08T18:30",
    "zone": "UTC",
    "repeat": "once",
}


def test_a_tournament_is_made_in_one_step_and_opens_at_once(client):
    client.force_login(make_user())
    answer = client.post("/tournaments/new/", {**FORM, "do": "publish"})
    made = Tournament.objects.get()
    assert answer.url == "/tournaments/sunday-cup/manage/"
    assert (made.state, made.starts_at, made.locks_at) == ("open", made.starts_at, made.starts_at)
    assert made.config["format"] == "swiss"
    assert made.config["deals"] == 12


def test_a_draft_can_be_changed_until_it_is_published(client):
    user = make_user()
    client.force_login(user)
    client.post("/tournaments/new/", {**FORM, "do": "draft"})
    edited = client.post("/tournaments/sunday-cup/edit/", {**FORM, "seats": 3, "do": "draft"})
    assert edited.status_code == 302
    assert Tournament.objects.get().config["seats"] == 3
    form = {**FORM, "seats": 3, "do": "publish"}
    opened = client.post("/tournaments/sunday-cup/edit/", form, follow=True)
    assert "Sunday Cup is open for entries." in text_of(opened)
    assert client.get("/tournaments/sunday-cup/edit/").status_code == 200


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"seats": 2}, "is played by"),
        ({"points": "3, 2, many"}, "whole numbers"),
        ({"points": "3, 2"}, "Enter 4 numbers"),
        ({"locks_at": f"{NEXT_YEAR}-03-09T10:00"}, "Entry must close at the start or before it"),
        ({"starts_at": "2006-03-08T18:30"}, "This moment has passed"),
        ({"locks_at": "2026-03-08T18:30"}, "This moment has passed"),
        ({"zone": "Mars/Olympus"}, "is not a time zone"),
        ({"repeat": "cron", "cron": "61 18 * * FRI"}, "is not a valid minute"),
        ({"rounds": 99}, "Choose 1 to 20 rounds"),
        ({"seats": 9}, "Choose 2 to 5 seats"),
        ({"max_entries": "many"}, "Enter a whole number"),
        ({"name": ""}, "required"),
    ],
)
def test_what_cannot_be_played_is_explained_and_everything_typed_is_kept(client, wrong, said):
    client.force_login(make_user())
    answer = client.post("/tournaments/new/", {**FORM, **wrong, "do": "publish"})
    assert answer.status_code == 422
    text = answer.content.decode()
    name = next(iter(wrong))
    assert said in text_of(answer)
    assert f'href="#id_{name if name != "repeat" else "cron"}' in text
    assert 'value="12"' in text
    assert not Tournament.objects.exists()


def test_the_cost_line_explains_numbers_that_do_not_fit(client):
    client.force_login(make_user())
    answer = client.post("/tournaments/new/cost/", {**FORM, "expected": 18})
    text = text_of(answer)
    assert "18 bots → 5 rounds × 4 pods × 48 games = 960 games" in text
    assert "18 bots do not fill pods of 4. Two bots sit out per round" in text
    few = text_of(client.post("/tournaments/new/cost/", {**FORM, "expected": 3}))
    assert "3 bots do not fill a table of 4" in few


def test_a_tournament_that_repeats_is_recurring_with_the_next_five_dates(client):
    user = make_user()
    client.force_login(user)
    form = {**FORM, "repeat": "weekly", "zone": "Europe/Berlin", "carries_over": "on"}
    form["starts_at"] = "2027-03-12T18:30"
    looked = client.post("/tournaments/new/", {**form, "do": "preview"})
    dates = ("12 Mar", "19 Mar", "26 Mar", "02 Apr", "09 Apr")
    for date, zone in zip(dates, ("CET", "CET", "CET", "CEST", "CEST"), strict=True):
        assert f"Fri {date} 2027, 18:30 {zone}" in text_of(looked)
    assert not RecurringTournament.objects.exists()
    client.post("/tournaments/new/", {**form, "do": "publish"})
    weekly = RecurringTournament.objects.get()
    assert (weekly.cron, weekly.zone, weekly.stopped) == ("30 18 * * FRI", "Europe/Berlin", False)
    first, *_, last = recurring.next_dates(weekly)
    assert (first.isoformat(), last.isoformat()) == (
        "2027-03-12T17:30:00+00:00",
        "2027-04-09T16:30:00+00:00",
    )
    assert client.get("/tournaments/recurring/sunday-cup/").status_code == 200
    client.post("/tournaments/recurring/sunday-cup/stop/")
    assert RecurringTournament.objects.get().stopped
    client.force_login(make_user())
    assert client.post("/tournaments/recurring/sunday-cup/resume/").status_code == 403
    client.force_login(user)
    client.post("/tournaments/recurring/sunday-cup/resume/")
    assert not RecurringTournament.objects.get().stopped
