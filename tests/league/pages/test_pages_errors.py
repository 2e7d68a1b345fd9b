"""What cannot be shown: one sentence, one way out, a number to ask about. And the theme."""

import re

import pytest
from django.test import Client

from league.errors import Refused
from league.pages import errors
from tests.league.factories import make_user
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db


def test_what_is_not_there_says_so_and_offers_a_way_out(client):
    answer = client.get("/nowhere/")
    assert answer.status_code == 404
    assert answer["X-Request-ID"] in text_of(answer)
    assert 'class="button" href="/"' in answer.content.decode()


def test_a_form_of_another_site_changes_nothing_and_is_explained():
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/theme/", {"theme": "dark"})
    assert answer.status_code == 403
    assert "Nothing was changed." in text_of(answer)
    assert "theme" not in answer.cookies


def test_a_page_for_staff_sends_others_to_their_bots(client):
    client.force_login(make_user("tom"))
    answer = client.get("/staff/")
    assert answer.status_code == 403
    assert 'href="/me/"' in answer.content.decode()


def test_our_own_mistake_is_drawn_without_the_database(rf, django_assert_num_queries):
    request = rf.get("/")
    request.request_id = "abc-12345"
    with django_assert_num_queries(0):
        answer = errors.broken(request)
    assert answer.status_code == 500
    assert "Request abc-12345" in text_of(answer)


def test_too_many_requests_are_told_when_to_come_back(rf):
    request = rf.get("/")
    request.user = make_user()
    answer = errors.refused(request, Refused("L005", status=429, count=3, when="in 15 minutes"))
    assert answer.status_code == 429
    assert "in 15 minutes" in text_of(answer)


def test_a_refusal_is_shown_in_the_words_of_its_code(rf):
    request = rf.get("/")
    request.user = make_user()
    answer = errors.refused(request, Refused("L003", version=2))
    assert answer.status_code == 409
    assert "L003" in text_of(answer)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        pytest.param("proxy-0123456789", True, id="a good number"),
        pytest.param("short", False, id="too short"),
        pytest.param("x" * 65, False, id="too long"),
        pytest.param("<script>alert(1)</script>", False, id="markup"),
    ],
)
def test_every_answer_has_a_number_and_a_proxy_may_choose_it(client, given, kept):
    number = client.get("/healthz", headers={"X-Request-ID": given})["X-Request-ID"]
    assert (number == given) is kept
    assert re.fullmatch(r"[A-Za-z0-9-]{8,64}", number)


@pytest.mark.parametrize(
    ("back", "goes"),
    [
        pytest.param("/docs/?q=x", "/docs/?q=x", id="where one was"),
        pytest.param("https://evil.example/", "/", id="another site"),
        pytest.param("//evil.example/", "/", id="another site without its scheme"),
        pytest.param("", "/", id="nowhere"),
    ],
)
def test_the_theme_is_remembered_and_leads_back_but_never_away(client, back, goes):
    answer = client.post("/theme/", {"theme": "dark", "next": back})
    assert answer.headers["Location"] == goes
    assert answer.cookies["theme"].value == "dark"
    assert '<html lang="en" data-theme="dark">' in client.get("/docs/").content.decode()


def test_a_theme_that_does_not_exist_goes_back_to_the_system(client):
    client.post("/theme/", {"theme": "dark"})
    client.post("/theme/", {"theme": "pink"})
    assert "data-theme" not in client.get("/docs/").content.decode().split("<body>")[0]
