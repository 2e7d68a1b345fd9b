"""A published tournament changes only where that harms nobody; times have a zone that stays."""

from datetime import timedelta

import pytest

from league.errors import Refused
from league.tournaments.models import Tournament
from league.tournaments.services import entries, lifecycle
from league.tournaments.services.amending import amend
from tests.league.factories import make_key, make_player, make_tournament, make_user
from tests.league.reading import text_of
from tests.league.tournaments.stored import begun, entered
from tests.league.tournaments.test_making import FORM

pytestmark = pytest.mark.django_db

SWISS = {"format": "swiss", "seats": 3, "rounds": 2}
HOUR = timedelta(hours=1)


def change(tournament, **values):
    """Change some of what can be changed, and leave the rest."""
    names = ("about", "max_entries", "locks_at", "starts_at")
    same = {name: getattr(tournament, name) for name in names}
    changes = amend(tournament, tournament.organiser, **same | values)
    tournament.refresh_from_db()
    return changes


def test_text_later_dates_and_more_entries_are_changed_and_logged():
    tournament = entered(1, SWISS, zone="Europe/Berlin")
    before = tournament.starts_at
    changes = change(tournament, about="New", max_entries=99, starts_at=before + HOUR)
    assert (tournament.about, tournament.max_entries) == ("New", 99)
    assert tournament.starts_at == before + HOUR
    line = tournament.actions.first()
    assert line.what == f"changed {'; '.join(changes)}"
    assert "maximum entries from 64 to 99" in line.what
    assert " CE" in line.what, "times are those of its zone"
    logged = tournament.actions.count()
    assert change(tournament) == []
    assert tournament.actions.count() == logged


@pytest.mark.parametrize(
    ("name", "by"), [("locks_at", -HOUR), ("starts_at", -HOUR), ("max_entries", -1)]
)
def test_nothing_becomes_earlier_or_less(name, by):
    tournament = entered(1, SWISS)
    with pytest.raises(Refused, match="later or larger"):
        change(tournament, about="New", **{name: getattr(tournament, name) + by})
    tournament.refresh_from_db()
    assert tournament.about == ""


def test_entry_that_is_closed_and_games_that_have_begun_stay_as_they_are():
    locked = entered(3, SWISS)
    lifecycle.lock(locked)
    locked.refresh_from_db()
    with pytest.raises(Refused, match="closed"):
        change(locked, max_entries=99)
    assert change(locked, starts_at=locked.starts_at + HOUR)
    running = begun(3, SWISS, "Running")
    with pytest.raises(Refused, match="only its description"):
        change(running, starts_at=running.starts_at + HOUR)
    assert change(running, about="Who wins?") == ["its description"]


def test_more_entries_need_quota(settings):
    tournament = entered(1, SWISS, max_entries=3)
    settings.TOURNAMENT_GAMES_OPEN = 5
    with pytest.raises(Refused, match="L012"):
        change(tournament, max_entries=60)


def test_the_format_changes_until_somebody_enters(client):
    user = make_user()
    client.force_login(user)
    client.post("/tournaments/new/", {**FORM, "do": "publish"})
    page = "/tournaments/sunday-cup/edit/"
    assert client.post(page, {**FORM, "rounds": 4, "do": "publish"}).status_code == 302
    tournament = Tournament.objects.get()
    assert (tournament.config["rounds"], tournament.state) == (4, "open")
    assert tournament.actions.first().what == "changed its terms"
    entries.enter(tournament, make_player(user), user)
    shown = client.get(page).content.decode()
    assert 'name="format"' not in shown
    times = {"locks_at": FORM["starts_at"], "rounds": 3}
    assert client.post(page, {**FORM, **times}).status_code == 302
    tournament.refresh_from_db()
    assert tournament.config["rounds"] == 4
    with pytest.raises(Refused, match="its format stays"):
        lifecycle.change(tournament, user, "Cup", "basari", SWISS)


def test_the_page_of_a_published_tournament_changes_it_and_says_why_not(client):
    tournament = entered(1, SWISS, zone="Europe/Berlin")
    client.force_login(tournament.organiser)
    page = f"/tournaments/{tournament.slug}/edit/"
    form = client.get(page).context["form"]
    values = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    assert values["zone"] == "Europe/Berlin"
    refused = client.post(page, {**values, "max_entries": 2})
    assert refused.status_code == 422
    assert "Maximum entries can only become later or larger" in text_of(refused)
    saved = client.post(page, {**values, "max_entries": 65}, follow=True)
    assert "Changed maximum entries from 64 to 65." in text_of(saved)
    client.force_login(make_user())
    assert client.get(page).status_code == 404


def test_entry_cannot_end_in_the_past(client):
    tournament = make_tournament(make_user())
    tournament.locks_at -= timedelta(days=2)
    tournament.save()
    with pytest.raises(Refused, match="past"):
        lifecycle.publish(tournament, tournament.organiser)
    headers = {"authorization": f"Bearer {make_key(make_user(), 'organise')}"}
    wanted = {"name": "Late Cup", "game": "basari", "config": SWISS}
    wanted["starts_at"] = f"{tournament.starts_at.isoformat()}"
    wanted["locks_at"] = f"{tournament.locks_at.isoformat()}"
    answer = client.post(
        "/api/v1/tournaments", wanted, content_type="application/json", headers=headers
    )
    assert answer.status_code == 422
    assert "Entry cannot end in the past" in answer.content.decode()


def test_a_draft_keeps_its_zone_and_a_new_form_takes_that_of_the_browser(client):
    client.force_login(make_user())
    fresh = client.get("/tournaments/new/").content.decode()
    assert "data-guess-zone" in fresh
    assert '<option value="Europe/Berlin">' in fresh
    client.post("/tournaments/new/", {**FORM, "zone": "Asia/Tokyo", "do": "draft"})
    made = Tournament.objects.get()
    assert made.zone == "Asia/Tokyo"
    edited = client.get("/tournaments/sunday-cup/edit/").content.decode()
    assert FORM["starts_at"] in edited
    assert '<option value="Asia/Tokyo" selected>' in edited
    assert "data-guess-zone" not in edited
