"""What nobody can do too often: guess, sign up, have mails sent, leave drafts; and for how long
things stay.
"""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from django.utils import timezone

from league.accounts import login_throttle
from league.accounts.models import User
from league.accounts.views import account
from league.bots import drafts
from league.bots.models import StoredDraft
from league.bots.views import upload as bot_views
from league.operate import retention
from league.web import throttling
from league.web.throttling import Budget
from tests.league.factories import SOURCE, make_user
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db

RIGHT = {"username": "mira", "password": "open sesame"}
WRONG = {"username": "mira", "password": "wrong"}


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self):
        self.now = 6_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(throttling, "time", made)
    return made


def sign_in(client, form, address):
    return client.post("/accounts/login/", form, REMOTE_ADDR=address)


def test_guessers_at_many_addresses_are_slowed_down_and_the_owner_s_browser_is_not(monkeypatch):
    monkeypatch.setattr(login_throttle, "FREE_OF_ACCOUNT", 3)
    make_user("mira")
    browser = Client()
    assert sign_in(browser, RIGHT, "192.0.2.1").status_code == 302
    browser.post("/accounts/logout/")
    guesses = [sign_in(Client(), WRONG, f"203.0.113.{number}") for number in range(12)]
    assert [answer.status_code for answer in guesses[:4]] == [200] * 4
    refused = [answer for answer in guesses if answer.status_code == 429]
    assert len(refused) >= 7
    assert 1 <= int(refused[-1]["Retry-After"]) <= login_throttle.MAX_WAIT_SECONDS
    assert "was not checked" in text_of(refused[-1])
    # Even the right password is not tried for a stranger, so nothing is learnt by waiting less.
    assert sign_in(Client(), RIGHT, "203.0.113.99").status_code == 429
    assert sign_in(browser, RIGHT, "198.51.100.1").status_code == 302


def test_one_address_that_guesses_at_many_accounts_is_slowed_down(monkeypatch):
    monkeypatch.setattr(login_throttle, "FREE_OF_ADDRESS", 3)
    make_user("mira")
    tries = [
        sign_in(Client(), {"username": f"user-{number}", "password": "wrong"}, "203.0.113.9")
        for number in range(8)
    ]
    assert {answer.status_code for answer in tries[:4]} == {200}
    assert {answer.status_code for answer in tries[5:]} == {429}
    assert sign_in(Client(), RIGHT, "192.0.2.1").status_code == 302


def test_somebody_at_the_same_address_cannot_lock_the_owner_s_browser_out(settings):
    settings.AXES_FAILURE_LIMIT = 2
    make_user("mira")
    browser = Client()
    assert sign_in(browser, RIGHT, "192.0.2.1").status_code == 302
    browser.post("/accounts/logout/")
    assert [sign_in(Client(), WRONG, "192.0.2.1").status_code for _ in range(2)] == [200, 429]
    assert sign_in(browser, RIGHT, "192.0.2.1").status_code == 302


def test_a_known_browser_may_not_guess_without_end_either(settings):
    settings.AXES_FAILURE_LIMIT = 3
    make_user("mira")
    browser = Client()
    sign_in(browser, RIGHT, "192.0.2.1")
    browser.post("/accounts/logout/")
    tries = [sign_in(browser, WRONG, "192.0.2.1").status_code for _ in range(8)]
    assert tries[:3] == [200] * 3
    assert tries[-1] == 429


def test_a_forged_cookie_makes_no_browser_known(settings):
    settings.AXES_FAILURE_LIMIT = 1
    make_user("mira")
    stranger = Client()
    stranger.cookies[login_throttle.COOKIE] = "eyJ1c2VycyI6WzFdfQ:1:forged"
    assert sign_in(stranger, WRONG, "192.0.2.1").status_code == 429


def test_staff_sign_in_where_everybody_does(client):
    answer = client.get("/admin/login/?next=/admin/bots/")
    assert answer.url == "/accounts/login/?next=/admin/bots/"
    assert client.post("/admin/login/", RIGHT).url.startswith("/accounts/login/")


def sign_up(name, address="192.0.2.1", **more):
    form = {"username": name, "password": "a fine long one"}
    return Client().post("/accounts/signup/", form, REMOTE_ADDR=address, **more)


def test_a_hundred_people_behind_one_address_sign_up_at_once_and_more_only_wait(clock):
    answers = [sign_up(f"pupil-{number}") for number in range(100)]
    assert {answer.status_code for answer in answers} == {302}
    late = [sign_up(f"late-{number}") for number in range(3)]
    assert [answer.status_code for answer in late] == [302, 429, 429]
    waiting = late[-1].content.decode()
    assert 'hx-trigger="every 6s"' in waiting
    assert 'value="late-2"' in waiting
    assert 'value="a fine long one"' in waiting
    assert (late[-1]["Retry-After"], late[-1]["Cache-Control"]) == ("6", "no-store")
    assert sign_up("elsewhere", "198.51.100.7").status_code == 302
    clock.now += 6
    again = sign_up("late-2", headers={"HX-Request": "true"})
    assert (again.status_code, again["HX-Redirect"]) == (200, "/me/")
    assert User.objects.filter(username="late-2").exists()


def test_wrong_sign_ups_do_not_use_the_budget_up(monkeypatch):
    monkeypatch.setattr(account, "SIGN_UPS", Budget("sign-ups", 1, 600))
    for _ in range(3):
        assert sign_up("x").status_code == 200
    assert sign_up("mira").status_code == 302


def test_sign_up_can_be_closed(client, settings):
    settings.SIGN_UP = False
    answer = client.post("/accounts/signup/", {"username": "mira", "password": "a fine long one"})
    assert answer.status_code == 403
    assert "not accepting new members" in text_of(answer)
    assert not User.objects.exists()


def test_few_mails_go_to_one_account_and_the_page_looks_the_same(client):
    make_user("mira", email="mira@example.org")
    make_user("tom", email="tom@example.org")
    pages = [
        text_of(client.post("/accounts/reset/", {"email": "mira@example.org"}, follow=True))
        for _ in range(5)
    ]
    assert len(mail.outbox) == 3
    assert len(set(pages)) == 1
    client.post("/accounts/reset/", {"email": "tom@example.org"})
    assert mail.outbox[-1].to == ["tom@example.org"]


def test_links_in_mails_name_the_site_and_not_the_host_of_the_request(client, settings):
    settings.SITE_URL, settings.ALLOWED_HOSTS = "https://karat.example.org", ["*"]
    make_user("mira", email="mira@example.org")
    client.post("/accounts/reset/", {"email": "mira@example.org"}, headers={"Host": "evil.example"})
    (sent,) = mail.outbox
    assert "https://karat.example.org/accounts/reset/" in sent.body
    assert "evil.example" not in f"{sent.subject} {sent.body} {sent.from_email}"


FEEDS = ["/g/basari/feed.atom", "/tournaments/feed.atom", "/tournaments.ics", "/sitemap.xml"]


@pytest.mark.parametrize("path", [*FEEDS, "/robots.txt"])
def test_what_other_programs_follow_names_the_site_too(client, settings, path):
    settings.SITE_URL, settings.ALLOWED_HOSTS = "https://karat.example.org", ["*"]
    answer = client.get(path, headers={"Host": "evil.example"})
    assert "evil.example" not in answer.content.decode()


def leave_draft(client=None, address="192.0.2.1", name="Shark", code=SOURCE):
    form = {"name": name, "code": code}
    return (client or Client()).post("/bots/new/", form, REMOTE_ADDR=address)


def test_drafts_are_no_part_of_the_session_and_are_few(client, monkeypatch):
    monkeypatch.setattr(drafts, "MAX_PER_ADDRESS", 3)
    monkeypatch.setattr(drafts, "MAX_DRAFTS", 4)
    big = SOURCE + "".join(f"# {number}\n" for number in range(20_000))
    assert leave_draft(client, code=big).status_code == 302
    assert leave_draft(client, code=big).status_code == 302
    assert StoredDraft.objects.count() == 1
    assert len(Session.objects.get().session_data) < 1000
    assert client.session.get_expiry_age() <= drafts.LIFETIME.total_seconds()
    for _ in range(5):
        leave_draft(address="198.51.100.7")
    assert StoredDraft.objects.count() == 4
    assert StoredDraft.objects.filter(address="198.51.100.7").count() == 3
    leave_draft(address="198.51.100.8")
    assert StoredDraft.objects.count() == 4
    # The first guest's went; the form says so by beginning anew.
    assert "Here is your code again" not in client.get("/bots/new/").content.decode()


def test_drafts_come_at_a_pace_and_the_code_stays_in_the_form(clock, monkeypatch):
    monkeypatch.setattr(bot_views, "DRAFTS", Budget("drafts", 2, 60))
    answers = [leave_draft() for _ in range(5)]
    assert [answer.status_code for answer in answers] == [302, 302, 302, 429, 429]
    assert "class MyBot" in answers[-1].content.decode()
    clock.now += 30
    assert leave_draft().status_code == 302


def test_a_member_s_session_lasts_after_a_draft(client):
    leave_draft(client)
    client.post("/accounts/signup/", {"username": "mira", "password": "a fine long one"})
    assert client.session.get_expiry_age() > 86_400 * 20


def test_what_expired_is_removed_a_part_at_a_time(client, monkeypatch):
    monkeypatch.setattr(retention, "BATCH_SIZE", 2)
    now = timezone.now()
    for number, days in enumerate((-3, -2, -1, 1)):
        Session.objects.create(
            session_key=f"s{number}", session_data="", expire_date=now + timedelta(days=days)
        )
    leave_draft(client)
    StoredDraft.objects.update(created_at=now - timedelta(days=2))
    AccessAttempt.objects.create(username="mira", failures_since_start=1)
    AccessAttempt.objects.update(attempt_time=now - timedelta(days=2))
    assert retention.remove_expired() == 4
    assert not StoredDraft.objects.exists()
    assert not AccessAttempt.objects.exists()
    assert set(Session.objects.values_list("session_key", flat=True)) >= {"s2", "s3"}
    retention.remove_expired()
    assert not Session.objects.filter(expire_date__lt=now).exists()
