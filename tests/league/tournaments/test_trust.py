"""What organisers and staff do leaves a trace, takes no rating back and breaks no tournament."""

import json

import pytest
from django.urls import reverse

from league.matches.models import Match
from league.tournaments.models import RecurringTournament
from league.tournaments.services import terms
from tests.league.factories import make_tournament, make_user
from tests.league.reading import text_of
from tests.league.tournaments.stored import begun, finish_all

pytestmark = pytest.mark.django_db

SWISS = {"format": "swiss", "seats": 3, "rounds": 2}


def test_where_games_are_rated_no_void_is_offered_and_the_page_says_why(client):
    tournament = begun(6, SWISS)
    finish_all()
    rated = tournament.rounds.get().games.get(table=1).match
    Match.objects.filter(pk=rated.pk).update(ledger_position=1)
    client.force_login(tournament.organiser)
    manage = client.get(f"{tournament.get_absolute_url()}manage/").content.decode()
    assert manage.count("/manage/void/confirm/") == 1
    assert "Cannot be voided: its games are already rated." in manage
    page = f"{tournament.get_absolute_url()}manage/void/confirm/?round=1&table=1"
    for answer in (
        client.get(page, follow=True),
        client.post(page, {"typed": tournament.name, "because": "rain"}, follow=True),
    ):
        assert "Some of these games are rated already" in text_of(answer)
    assert not Match.objects.filter(status="void").exists()


def test_a_re_run_asks_for_a_reason_and_keeps_it(client):
    tournament = begun(3, SWISS)
    client.force_login(tournament.organiser)
    page = f"{tournament.get_absolute_url()}manage/rerun/confirm/?round=1&table=1"
    client.post(page, {"typed": tournament.name})
    assert not Match.objects.filter(status="void").exists()
    client.post(page, {"typed": tournament.name, "because": "the cards were known"})
    assert tournament.actions.first().what == (
        "re-ran pod A of round 1, 1 game: the cards were known"
    )


def changed(client, page, **values):
    """The answer to the form of a row in the admin, with some other values."""
    form = client.get(page).context["adminform"].form
    sent = {}
    for name, field in form.fields.items():
        value = form.get_initial_for_field(field, name)
        prepared = field.prepare_value(value)
        if hasattr(value, "isoformat"):
            sent |= {f"{name}_0": f"{value:%Y-%m-%d}", f"{name}_1": f"{value:%H:%M:%S}"}
        elif prepared is not None and prepared is not False:
            sent[name] = prepared
    return client.post(page, sent | values)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("config", '{"format": "swiss", "seats": 9}'),
        ("config", '{"format": "chess"}'),
        ("config", "[]"),
        ("config", '{"format": "swiss", "seats": 2}'),
        ("options", '{"max_offers": 0}'),
        ("options", '{"lights": "off"}'),
        ("game", "chess"),
    ],
)
def test_what_cannot_be_played_cannot_be_saved_in_the_admin(admin_client, field, value):
    tournament = make_tournament(make_user())
    page = reverse("admin:tournaments_tournament_change", args=[tournament.pk])
    answer = changed(admin_client, page, **{field: value})
    assert field in answer.context["adminform"].form.errors
    tournament.refresh_from_db()
    assert (tournament.game, tournament.config["seats"]) == ("basari", 3)
    assert not tournament.actions.exists()


def test_a_change_by_staff_is_written_into_the_log(admin_client, admin_user):
    tournament = make_tournament(make_user())
    page = reverse("admin:tournaments_tournament_change", args=[tournament.pk])
    config = json.dumps(tournament.config | {"rounds": 3})
    answer = changed(admin_client, page, name="Saturday Cup", config=config)
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    tournament.refresh_from_db()
    assert (tournament.name, tournament.config["rounds"]) == ("Saturday Cup", 3)
    line = tournament.actions.get()
    assert (line.user, line.what) == (admin_user, "changed it in the admin: config, name")
    assert tournament.max_games == 63


def test_what_rounds_were_planned_with_stays_in_the_admin(admin_client):
    tournament = begun(3, SWISS)
    page = reverse("admin:tournaments_tournament_change", args=[tournament.pk])
    form = admin_client.get(page).context["adminform"].form
    assert not {"config", "game", "options"} & form.fields.keys()
    assert changed(admin_client, page, name="Saturday Cup").status_code == 302
    tournament.refresh_from_db()
    assert tournament.name == "Saturday Cup"


def test_a_recurring_tournament_with_a_bad_cron_line_cannot_be_saved_in_the_admin(admin_client):
    config = terms.complete_config("basari", SWISS)
    daily = RecurringTournament.objects.create(
        name="Cup",
        slug="cup",
        game="basari",
        config=config,
        cron="0 8 * * *",
        looked_at="2026-01-01T00:00Z",
    )
    page = reverse("admin:tournaments_recurringtournament_change", args=[daily.pk])
    for field, value in (("cron", "* * * * *"), ("zone", "Moon"), ("config", "{}")):
        answer = changed(admin_client, page, **{field: value})
        assert field in answer.context["adminform"].form.errors
