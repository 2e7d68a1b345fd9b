"""An upload that waits for its author to sign in, and then goes on by itself."""

import threading
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client

from league.bots.models import Bot, BotVersion, StoredDraft
from league.bots.views import upload
from league.web.throttling import Limit
from tests.league.factories import SOURCE, make_bot, make_player, make_user, make_version
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db

CODE = SOURCE.replace("MyBot", "Shark")
FORM = {"name": "Sapphire Shark", "code": CODE, "note": "first try"}
BROKEN = SOURCE.replace("options):", "options)")


def next_of(answer):
    """Return where a sign-in that this answer asks for leads to."""
    return answer.url.partition("?next=")[2].replace("%2F", "/")


def sign_up(client, leads_to, name="mira"):
    form = {"username": name, "password": "a fine long one", "next": leads_to}
    return client.post("/accounts/signup/", form, follow=True)


def sign_in(client, leads_to, name="mira"):
    form = {"username": name, "password": "open sesame", "next": leads_to}
    return client.post("/accounts/login/", form, follow=True)


@pytest.fixture
def waiting(client):
    """Where the sign-in of a guest leads to who pressed *Check and upload*."""
    return next_of(client.post("/bots/new/", FORM))


def test_sign_up_in_the_middle_of_an_upload_ends_at_the_running_check(client):
    # A browser sends other ends of lines than a file has.
    asked = client.post("/bots/new/", {**FORM, "code": CODE.replace("\n", "\r\n")})
    assert asked.url.startswith("/accounts/signup/?next=")
    assert "uploaded as soon as you have signed up" in text_of(client.get(asked.url))
    assert not Bot.objects.exists()
    page = sign_up(client, next_of(asked))
    version = BotVersion.objects.get()
    assert page.redirect_chain[-1] == (f"/uploads/{version.pk}/", 302)
    facts = (version.source.text, version.note, version.bot.name, version.bot.owner.username)
    assert facts == (CODE, "first try", "Sapphire Shark", "mira")
    assert "Welcome, mira." in text_of(page)
    assert "draft" not in client.session
    assert not StoredDraft.objects.exists()


def test_signing_in_instead_goes_on_with_the_upload_too(client, waiting):
    make_user("mira")
    link = f"/accounts/login/?next={waiting}"
    assert f'href="{link}"' in client.get(f"/accounts/signup/?next={waiting}").content.decode()
    assert "uploaded as soon as you have signed in" in text_of(client.get(link))
    page = sign_in(client, waiting)
    assert page.redirect_chain[-1][0] == f"/uploads/{BotVersion.objects.get().pk}/"


def test_a_league_without_sign_up_asks_to_sign_in(client, settings):
    settings.SIGN_UP = False
    make_user("mira")
    asked = client.post("/bots/new/", FORM)
    assert asked.url.startswith("/accounts/login/?next=")
    page = sign_in(client, next_of(asked))
    assert page.redirect_chain[-1][0] == f"/uploads/{BotVersion.objects.get().pk}/"


@pytest.mark.parametrize(
    ("obstacle", "reason", "status"),
    [
        pytest.param(lambda _: make_bot(make_user(), "Sapphire Shark"), "There is a bot", 409),
        pytest.param(lambda user: make_bot(user, "Sapphire Shark"), "is yours: upload a new", 409),
        pytest.param(lambda user: make_version(make_bot(user)), "L001", 429),
    ],
    ids=["name of another bot", "name of an own bot", "quota"],
)
def test_what_is_refused_after_signing_in_opens_the_editor_with_everything_and_the_reason(
    client, waiting, settings, obstacle, reason, status
):
    settings.UPLOADS_PER_DAY = 1
    obstacle(make_user("mira"))
    before = BotVersion.objects.count()
    page = sign_in(client, waiting)
    assert (page.status_code, reason in text_of(page)) == (status, True)
    form = page.context["form"]
    assert [form[name].value() for name in ("name", "code", "note")] == [*FORM.values()]
    assert "Here is your code again" not in text_of(page)
    assert BotVersion.objects.count() == before
    # Nothing is lost by leaving the page.
    assert client.get("/bots/new/").context["form"].initial == FORM


def test_somebody_who_checks_too_often_keeps_the_code(client, waiting, monkeypatch):
    make_user("mira")
    monkeypatch.setattr(upload, "CHECKS_PER_USER", Limit("checks", 0))
    page = sign_in(client, waiting)
    assert (page.status_code, "L008" in text_of(page)) == (429, True)
    assert page.context["form"]["code"].value() == CODE


def test_only_the_session_that_sent_the_code_can_go_on_with_it(client, waiting):
    other = Client()
    other.force_login(make_user("tom"))
    assert other.get(waiting).url == "/me/"
    assert other.get(f"/uploads/drafts/{uuid4()}/").url == "/me/"
    assert not Bot.objects.exists()
    assert StoredDraft.objects.exists()


def test_an_ordinary_sign_in_uploads_nothing_and_the_editor_offers_the_code(client, waiting):
    make_user("tom")
    sign_in(client, "/me/", "tom")
    assert not Bot.objects.exists()
    assert "Here is your code again" in text_of(client.get("/bots/new/"))


def test_a_guest_who_opens_the_address_is_asked_to_sign_in(client, waiting):
    answer = client.get(waiting)
    assert (answer.url.startswith("/accounts/login/"), next_of(answer)) == (True, waiting)
    assert client.post(waiting).status_code == 405
    assert client.head(waiting).status_code == 405


def test_a_second_tab_leads_to_the_same_check(client, waiting):
    sign_up(client, waiting)
    version = BotVersion.objects.get()
    assert client.get(waiting).url == f"/uploads/{version.pk}/"
    # So does the sign-up page of the other tab, to which *Back* leads as well.
    page = client.get("/accounts/signup/", {"next": waiting}, follow=True)
    assert page.redirect_chain[-1][0] == f"/uploads/{version.pk}/"
    assert Bot.objects.count() == 1


def test_an_earlier_draft_never_replaces_a_later_one(client, waiting):
    later = next_of(client.post("/bots/new/", {**FORM, "name": "Later Shark"}))
    page = sign_up(client, waiting)
    assert page.redirect_chain[-1][0] == "/bots/new/"
    assert page.context["form"].initial["name"] == "Later Shark"
    assert not Bot.objects.exists()
    client.get(later)
    assert Bot.objects.get().name == "Later Shark"


@pytest.mark.django_db(transaction=True)
def test_two_tabs_at_the_same_moment_upload_once(client):
    waiting = next_of(client.post("/bots/new/", FORM))
    client.post(
        "/accounts/signup/", {"username": "mira", "password": "a fine long one", "next": "/me/"}
    )
    barrier = threading.Barrier(2)
    ends = []

    def open_tab():
        tab = Client()
        tab.cookies = client.cookies
        barrier.wait()
        try:
            ends.append(tab.get(waiting).url)
        finally:
            connection.close()

    tabs = [threading.Thread(target=open_tab) for _ in range(2)]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    version = BotVersion.objects.get()
    assert ends == [f"/uploads/{version.pk}/"] * 2


# A new version, sent after the session ended


def test_a_new_version_goes_on_after_the_session_ended(client):
    bot = make_player(make_user("mira"))
    asked = client.post(f"/bots/{bot.slug}/versions/new/", {"code": CODE, "note": "faster"})
    assert asked.url.startswith("/accounts/login/?next=")
    page = sign_in(client, next_of(asked))
    version = bot.versions.get(number=2)
    assert page.redirect_chain[-1][0] == f"/uploads/{version.pk}/"
    assert (version.source.text, version.note) == (CODE, "faster")


def test_a_new_version_with_a_mistake_comes_back_with_the_reason(client):
    bot = make_player(make_user("mira"))
    asked = client.post(f"/bots/{bot.slug}/versions/new/", {"code": BROKEN, "note": "faster"})
    page = sign_in(client, next_of(asked))
    assert (page.status_code, "E101" in text_of(page)) == (422, True)
    assert [page.context["form"][name].value() for name in ("code", "note")] == [BROKEN, "faster"]
    assert f'action="/bots/{bot.slug}/versions/new/"' in page.content.decode()
    assert bot.versions.count() == 1


def test_a_new_version_of_somebody_else_s_bot_is_refused_and_the_code_stays(client):
    bot = make_player(make_user("mira"), "Sapphire Shark")
    make_user("tom")
    asked = client.post(f"/bots/{bot.slug}/versions/new/", {"code": CODE})
    page = sign_in(client, next_of(asked), "tom")
    assert "You are signed in as tom, who does not own sapphire-shark." in text_of(page)
    assert page.context["form"]["code"].value() == CODE
    assert bot.versions.count() == 1
    assert not Bot.objects.filter(owner__username="tom").exists()
