"""Versions and their code, who may see and do what, the dashboard and user pages."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.bots import services
from league.bots.models import BotVersion
from league.tournaments.services import entries, lifecycle as tournaments
from runners.match import Fault
from tests.league.factories import (
    SOURCE,
    make_bot,
    make_key,
    make_match,
    make_player,
    make_tournament,
    make_user,
    make_version,
    rate_all,
)
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def mira(client):
    user = make_user("mira", email="mira@example.org")
    client.force_login(user)
    return user


def test_versions_show_their_last_rating_and_their_state(client):
    players = [make_player(make_user()) for _ in range(3)]
    bot = players[0]
    make_match(players)
    rate_all()
    retired = bot.active
    make_version(bot)
    make_version(bot, status=BotVersion.Status.REJECTED)
    BotVersion.objects.filter(number=3).update(code="E102")
    rows = client.get(f"/bots/{bot.slug}/versions/").context["page"].object_list
    assert [row.version.number for row in rows] == [3, 2, 1]
    (rating,) = rows[2].ratings
    strength = retired.ratings.get(ladder="basari")
    assert (rating.strength.mu, rating.matches) == (strength.mu, 1)
    assert rows[1].ratings == []


def test_the_owner_goes_back_to_an_old_version_and_from_the_bench(client, mira):
    bot = make_player(mira)
    second = make_version(bot)
    client.post(f"/bots/{bot.slug}/versions/1/activate/")
    bot.refresh_from_db()
    assert bot.active.number == 1
    services.bench(second, "3 faults in its last 10 matches (E302 3 times)")
    page = client.get(f"/bots/{bot.slug}/versions/")
    assert "v2 is benched: 3 faults in its last 10 matches" in text_of(page)
    client.post(f"/bots/{bot.slug}/versions/2/activate/")
    bot.refresh_from_db()
    assert (bot.active.number, bot.active.benched_at) == (2, None)


def test_a_rejected_version_cannot_be_activated(client, mira):
    bot = make_player(mira)
    make_version(bot, status=BotVersion.Status.REJECTED)
    page = client.post(f"/bots/{bot.slug}/versions/2/activate/", follow=True)
    assert "has not passed its checks" in text_of(page)


def test_what_everybody_sees_of_a_bot_is_the_owner_s_choice(client, mira):
    bot = make_player(mira)
    form = {"about": "Never barters below yellow.", "notes_public": "on"}
    client.post(f"/bots/{bot.slug}/about/", form)
    bot.refresh_from_db()
    assert (bot.about, bot.notes_public) == ("Never barters below yellow.", True)
    client.post(f"/bots/{bot.slug}/about/", {"about": "x" * 201})
    bot.refresh_from_db()
    assert bot.about == "Never barters below yellow."


def test_published_code_is_open_and_shown_without_styles_of_its_own(client, mira):
    bot = make_player(mira)
    client.post(f"/bots/{bot.slug}/versions/1/publish/", {"public": "1"})
    client.logout()
    page = client.get(f"/bots/{bot.slug}/versions/1/").content.decode()
    assert '<span class="nc">MyBot</span>' in page
    assert "style=" not in page
    file = client.get(f"/bots/{bot.slug}/versions/1/bot.py")
    assert file.content.decode() == bot.active.source.text
    assert file["Content-Type"].startswith("text/plain")
    assert "attachment" in file["Content-Disposition"]


def test_the_difference_of_two_versions_is_told_by_signs(client, mira):
    bot = make_bot(mira)
    make_version(bot, SOURCE)
    make_version(bot, SOURCE.replace("options[0]", "options[-1]"))
    page = client.get(f"/bots/{bot.slug}/diff/").content.decode()
    assert "<del>        return options[0]</del>" in page
    assert '<span class="visually-hidden">added</span>' in page
    same = client.get(f"/bots/{bot.slug}/diff/?old=2&new=2")
    assert "The files are identical." in text_of(same)
    assert client.get(f"/bots/{bot.slug}/diff/?old=99&new=x").status_code == 200


def test_nobody_revokes_the_key_of_somebody_else(client, mira):
    other = make_user()
    make_key(other)
    assert client.post(f"/me/tokens/{other.tokens.get().pk}/revoke/").status_code == 404
    assert other.tokens.valid().count() == 1


@pytest.mark.parametrize(
    "address",
    [
        "/uploads/99999999999999999999999/",
        "/uploads/99999999999999999999999/smoke/basari/",
        "/bots/no/versions/",
        "/u/no/",
    ],
)
def test_what_is_not_there_is_not_found(client, mira, address):
    assert client.get(address).status_code == 404


def test_the_dashboard_of_a_newcomer_shows_the_first_step(client, mira):
    page = client.get("/me/")
    said = text_of(page)
    assert "No bot yet" in said
    assert "Nothing is being checked" in said
    assert [step.done for step in page.context["steps"]] == [False, False, False, None, False]
    client.post("/me/first-steps/hide/")
    assert client.get("/me/").context["steps"] == []


def test_the_dashboard_shows_ratings_faults_uploads_and_steps_done(client, mira):
    bot = make_player(mira, "Sapphire Shark")
    players = [bot, make_player(make_user()), make_player(make_user())]
    match = make_match(players, faults=[Fault(0, 5, "E302", "No answer in time.")])
    match.seats.filter(bot=bot).update(place=3)
    rate_all()
    make_version(bot, status=BotVersion.Status.REJECTED)
    make_version(bot, status=BotVersion.Status.WAITING)
    page = client.get("/me/")
    (row,) = page.context["bots"]
    assert [shown.matches if shown else None for shown in row.ratings] == [0, 1, 0]
    assert "1 of 30 matches" in text_of(page)
    assert f"match {match.pk}, step 5" in text_of(page)
    # The rejected one is history: another was uploaded since.
    assert [version.number for version in page.context["uploads"]] == [3]
    assert [step.done for step in page.context["steps"]] == [True, False, True, None, False]
    assert client.get("/me/lost/").url == f"/matches/{match.pk}/"
    assert client.get("/me/").context["steps"][1].done


def test_the_dashboard_shows_tournaments_entered_and_run_until_they_are_over(client, mira):
    bot = make_player(mira, "Sapphire Shark")
    organiser = make_user("tom", is_organiser=True)
    cup = make_tournament(organiser)
    tournaments.publish(cup, organiser)
    assert "None of your bots has entered one." in text_of(client.get("/me/"))
    entries.enter(cup, bot, mira)
    page = client.get("/me/")
    assert "Friday Cup open for entries Sapphire Shark plays" in text_of(page)
    assert page.context["steps"][-1].done
    assert not page.context["organised"]
    client.force_login(organiser)
    assert "You run Friday Cup" in text_of(client.get("/me/"))
    tournaments.cancel(cup, organiser, "No snow.")
    assert not client.get("/me/").context["organised"]
    client.force_login(mira)
    page = client.get("/me/")
    assert not page.context["entries"]
    assert page.context["steps"][-1].done


def test_a_user_page_shows_bots_and_its_own_gem(client, mira):
    bot = make_player(mira, "Sapphire Shark")
    client.logout()
    first, again = client.get("/u/mira/"), client.get("/u/mira/")
    assert "Sapphire Shark" in text_of(first)
    assert first.context["glyph"] == again.context["glyph"]
    assert client.get("/u/MIRA/").url == "/u/mira/"
    make_user("ottilie")
    other = client.get("/u/ottilie/")
    assert "ottilie has not published a bot yet." in text_of(other)
    assert other.context["glyph"] != first.context["glyph"]
    assert bot.slug in first.content.decode()


@pytest.mark.parametrize("address", ["/me/", "/u/mira/", "/bots/first/versions/"])
def test_pages_ask_as_often_for_many_rows_as_for_few(client, mira, address):
    def asked():
        with CaptureQueriesContext(connection) as counted:
            assert client.get(address).status_code == 200
        return len(counted)

    first = make_player(mira, "First")
    make_match([first, make_player(make_user()), make_player(make_user())])
    rate_all()
    make_version(first)
    client.get(address)
    few = asked()
    for number in range(4):
        make_version(make_bot(mira, f"Another {number}"))
        make_version(first)
    rate_all()
    assert asked() == few
