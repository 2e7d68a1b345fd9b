"""Signing up, in and out; passwords, keys, settings; leaving."""

import re
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.test import Client

from league.accounts.models import Token, User
from tests.league.factories import (
    make_key,
    make_match,
    make_player,
    make_user,
)
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db

PASSWORD = "open sesame"


@pytest.fixture
def mira(client):
    user = make_user("mira", email="mira@example.org")
    client.force_login(user)
    return user


@pytest.mark.parametrize(
    ("form", "said"),
    [
        pytest.param({"username": "Mira"}, "Somebody has this name already.", id="taken"),
        pytest.param({"username": "former-7"}, "former members", id="reserved for former members"),
        pytest.param({"username": "x"}, "at least 3", id="short"),
        pytest.param({"username": "a b c"}, "Use letters, digits", id="spaces"),
        pytest.param({"password": "password"}, "too common", id="common password"),
        pytest.param({"password": ""}, "required", id="no password"),
        pytest.param({"email": "nobody"}, "valid email", id="no mail address"),
    ],
)
def test_what_is_wrong_with_a_sign_up_is_said_and_nobody_is_made(client, form, said):
    make_user("mira")
    answer = client.post(
        "/accounts/signup/", {"username": "ottilie", "password": "a fine long one", **form}
    )
    assert said in text_of(answer)
    assert User.objects.count() == 1


def test_nobody_is_sent_to_another_site_after_signing_in(client):
    make_user("mira")
    form = {"username": "MIRA", "password": PASSWORD, "next": "https://evil.example/"}
    assert client.post("/accounts/login/", form).url == "/me/"


def test_wrong_passwords_close_the_door_for_a_while_and_say_so(client, settings):
    settings.AXES_FAILURE_LIMIT = 2
    make_user("mira")
    wrong = {"username": "mira", "password": "wrong"}
    assert "Wrong name or password" in text_of(client.post("/accounts/login/", wrong))
    answer = client.post("/accounts/login/", wrong)
    assert answer.status_code == 429
    assert answer["Retry-After"] == "900"
    assert "Try again in 15 minutes" in text_of(answer)
    right = {"username": "mira", "password": PASSWORD}
    assert client.post("/accounts/login/", right).status_code == 429


def test_signing_out_is_a_button_and_not_a_link(client, mira):
    assert client.get("/accounts/logout/").status_code == 405
    assert client.post("/accounts/logout/").url == "/"
    assert client.get("/me/").status_code == 302


def test_a_forgotten_password_is_set_anew_by_mail_and_strangers_learn_nothing(client):
    make_user("mira", email="mira@example.org")
    known = client.post("/accounts/reset/", {"email": "mira@example.org"}, follow=True)
    unknown = client.post("/accounts/reset/", {"email": "who@example.org"}, follow=True)
    assert text_of(known) == text_of(unknown)
    (sent,) = mail.outbox
    link = urlsplit(re.search(r"http\S+", sent.body)[0]).path
    form = client.get(link, follow=True)
    new_password = {"new_password1": "another fine one", "new_password2": "another fine one"}
    client.post(form.request["PATH_INFO"], new_password)
    signed_in = client.post(
        "/accounts/login/", {"username": "mira", "password": "another fine one"}
    )
    assert signed_in.url == "/me/"
    assert "no longer works" in text_of(client.get(link))


def test_a_password_is_changed_by_whoever_knows_it(client, mira):
    form = {"old_password": "wrong", "new_password1": "a new one 7", "new_password2": "a new one 7"}
    assert client.post("/me/password/", form).status_code == 200
    assert client.post("/me/password/", form | {"old_password": PASSWORD}).url == "/me/settings/"
    assert client.get("/me/").status_code == 200
    mira.refresh_from_db()
    assert mira.check_password("a new one 7")


def test_settings_are_kept(client, mira):
    client.post("/me/settings/", {"email": "new@example.org", "password": PASSWORD})
    mira.refresh_from_db()
    assert (mira.email, mira.shortcuts) == ("new@example.org", False)


def test_another_mail_address_asks_for_the_password(client, mira):
    for form in ({}, {"password": "wrong"}):
        answer = client.post("/me/settings/", {"email": "evil@example.org", **form})
        assert "This is not your password" in text_of(answer)
    client.post("/me/settings/", {"email": "mira@example.org", "shortcuts": "on"})
    mira.refresh_from_db()
    assert (mira.email, mira.shortcuts) == ("mira@example.org", True)


def test_nobody_guesses_the_password_in_an_open_browser(client, mira):
    for number in range(10):
        client.post("/me/delete/", {"confirmed": "mira", "password": f"guess {number}"})
    answer = client.post("/me/delete/", {"confirmed": "mira", "password": PASSWORD})
    assert "Too many wrong passwords" in text_of(answer)
    assert client.get("/me/").status_code == 200


def test_a_changed_password_ends_other_sessions_and_offers_to_revoke_keys(client, mira):
    other = Client()
    other.force_login(mira)
    key = {"Authorization": f"Bearer {make_key(mira)}"}
    assert "Revoke all my access keys" in text_of(client.get("/me/password/"))
    new = {"old_password": PASSWORD, "new_password1": "a new one 7", "new_password2": "a new one 7"}
    client.post("/me/password/", new)
    assert (client.get("/me/").status_code, other.get("/me/").status_code) == (200, 302)
    assert client.get("/api/v1/me", headers=key).status_code == 200
    again = {"old_password": "a new one 7", "new_password1": PASSWORD, "new_password2": PASSWORD}
    client.post("/me/password/", again | {"revoke_keys": "on"})
    assert client.get("/api/v1/me", headers=key).status_code == 401
    assert "Revoke all my access keys" not in text_of(client.get("/me/password/"))


def test_a_password_set_by_mail_can_revoke_keys_too(client):
    user = make_user("mira", email="mira@example.org")
    key = {"Authorization": f"Bearer {make_key(user)}"}
    client.post("/accounts/reset/", {"email": "mira@example.org"})
    link = urlsplit(re.search(r"http\S+", mail.outbox[0].body)[0]).path
    form = client.get(link, follow=True)
    assert "Revoke all my access keys" in text_of(form)
    new = {"new_password1": "another one 7", "new_password2": "another one 7", "revoke_keys": "on"}
    client.post(form.request["PATH_INFO"], new)
    assert client.get("/api/v1/me", headers=key).status_code == 401


def test_a_key_is_shown_once_works_and_can_be_revoked(client, mira):
    made = client.post("/me/tokens/", {"name": "laptop", "scopes": ["read"]})
    secret = re.search(r"karat_[\w-]{40,}", made.content.decode())[0]
    assert "no-store" in made["Cache-Control"]
    assert secret not in client.get("/me/tokens/").content.decode()
    key = {"Authorization": f"Bearer {secret}"}
    assert client.get("/api/v1/me", headers=key).status_code == 200
    client.post(f"/me/tokens/{Token.objects.get().pk}/revoke/")
    assert client.get("/api/v1/me", headers=key).status_code == 401


def test_a_key_without_any_scope_is_not_made(client, mira):
    client.post("/me/tokens/", {"name": "laptop"})
    client.post("/me/tokens/", {"name": "laptop", "scopes": ["everything"]})
    assert not Token.objects.exists()


def test_an_account_is_deleted_by_typing_its_name_and_its_results_stay(client, mira):
    bot = make_player(mira, "Sapphire Shark")
    make_match([bot, make_player(), make_player()])
    form = {"confirmed": "mira", "password": PASSWORD}
    assert "nothing was deleted" in text_of(
        client.post("/me/delete/", form | {"confirmed": "Mira"})
    )
    answer = client.post("/me/delete/", form | {"password": "wrong"})
    assert "This is not your password" in text_of(answer)
    assert client.post("/me/delete/", form).url == "/"
    assert client.get("/me/").status_code == 302
    page = client.get(f"/u/former-{mira.pk}/")
    assert "Former member" in text_of(page)
    assert "Sapphire Shark" in text_of(page)
    assert "by a former member" in text_of(client.get(f"/bots/{bot.slug}/versions/"))
    assert client.get("/u/mira/").status_code == 404
