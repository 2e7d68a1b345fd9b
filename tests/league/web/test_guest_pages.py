"""Pages that guests share: as when fresh, never anybody's own, and current after every change."""

import re

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.bots.models import Bot
from league.ladder import services as ladder
from league.ladder.models import Entry
from league.web import guest_pages
from league.web.guest_pages import MEMORY, Memory, Page
from tests.league.factories import finish_match, make_player, make_user, queue_match

pytestmark = pytest.mark.django_db
GAME = "basari"
PATHS = (
    *("/", f"/g/{GAME}/leaderboard/", "/bots/{bot}/", "/matches/{match}/", "/matches/", "/bots/"),
    *("/tournaments/", "/docs/", "/docs/quickstart/", f"/g/{GAME}/", "/api/v1/matches"),
    f"/api/v1/leaderboards/{GAME}",
)
_VARYING = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"|\d+[^<]{1,6} ago</time>')


@pytest.fixture
def memory(monkeypatch):
    """The memory of a server, passed on with every request as its handler does."""
    memory = Memory()
    monkeypatch.setattr(WSGIRequest, "scope", {MEMORY: memory}, raising=False)
    return memory


@pytest.fixture
def bots():
    """Two bots of two users on the ladder."""
    bots = [make_player(make_user(name), f"Bot of {name}") for name in ("mira", "tom")]
    ladder.ensure()
    ladder.enrol()
    Entry.objects.update(matches=40)
    return bots


@pytest.fixture
def paths(bots):
    """Pages that spectators open."""
    match = finish_match(queue_match([*bots, make_player(make_user("ada"), "Bot of ada")]))
    return [path.format(bot=bots[0].slug, match=match.pk) for path in PATHS]


def body(answer):
    """Return what was answered, without what differs every time."""
    assert answer.status_code == 200
    return _VARYING.sub(b"", answer.content)


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_a_second_guest_gets_the_same_bytes_without_a_query(memory, paths):
    for path in paths:
        first = Client().get(path)
        with CaptureQueriesContext(connection) as queries:
            second = Client().get(path)
        assert (path, len(queries), second.content) == (path, 0, first.content)
        own = "X-Request-ID"
        headers, others = dict(first.items()), dict(second.items())
        assert headers.pop(own) != others.pop(own)
        assert headers == others


def test_a_guest_who_has_the_page_is_told_so_without_a_query(memory, paths):
    for path in paths:
        tag = Client().get(path)["ETag"]
        with CaptureQueriesContext(connection) as queries:
            again = Client().get(path, headers={"If-None-Match": tag})
        assert (path, again.status_code, again.content, len(queries)) == (path, 304, b"", 0)


def test_a_guest_who_has_the_page_lets_others_share_it_too(memory):
    tag = Client().get("/matches/")["ETag"]
    guest_pages.begin_revision()
    assert Client().get("/matches/", headers={"If-None-Match": tag}).status_code == 304
    with CaptureQueriesContext(connection) as queries:
        assert Client().get("/matches/").status_code == 200
    assert len(queries) == 0


def test_everybody_sees_with_the_memory_what_they_see_without(monkeypatch, bots, paths):
    staff = make_user("staff", is_staff=True)
    viewers = [Client(), *(signed_in(user) for user in (bots[0].owner, bots[1].owner, staff))]
    fresh = [[body(viewer.get(path)) for viewer in viewers] for path in paths]
    monkeypatch.setattr(WSGIRequest, "scope", {MEMORY: Memory()}, raising=False)
    for _ in range(2):
        assert [[body(viewer.get(path)) for viewer in viewers] for path in paths] == fresh


def test_nothing_of_a_signed_in_user_is_kept_or_taken_from_the_memory(memory, bots, paths):
    mira = signed_in(bots[0].owner)
    for path in paths:
        mira.get(path)
    assert not memory._pages
    for path in paths:
        Client().get(path)
    html = mira.get("/").content
    assert b'href="/me/"' in html
    assert b"Sign in" not in html
    assert b'href="/me/"' not in b"".join(page.content for page in memory._pages.values())


def test_a_key_of_the_api_and_a_theme_have_pages_of_their_own(memory, bots):
    Client().get("/api/v1/matches")
    assert (
        Client().get("/api/v1/matches", headers={"Authorization": "Bearer no"}).status_code == 401
    )
    dark = Client()
    dark.cookies["theme"] = "dark"
    assert b'data-theme="dark"' not in Client().get("/docs/").content
    assert b'data-theme="dark"' in dark.get("/docs/").content
    assert b'data-theme="dark"' not in Client().get("/docs/").content


def test_pages_with_forms_of_guests_and_refusals_are_not_kept(memory):
    for path in ("/accounts/login/", "/accounts/signup/", "/play/", "/bots/nobody/", "/me/"):
        Client().get(path)
    assert not memory._pages


def test_a_shared_page_sets_no_cookie_and_says_that_it_depends_on_them(memory):
    answer = Client().get("/")
    assert not answer.cookies
    assert {"Cookie", "HX-Request"} <= set(answer["Vary"].split(", "))


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Magpie", "renamed_at": timezone.now()},
        {"hidden_at": timezone.now()},
        {"active": None, "retired_at": timezone.now()},
    ],
)
def test_what_somebody_changes_through_the_site_is_visible_at_once(memory, bots, paths, change):
    before = [Client().get(path).content for path in ("/bots/", f"/bots/{bots[0].slug}/")]
    Bot.objects.filter(pk=bots[0].pk).update(**change)
    signed_in(bots[0].owner).post("/theme/", {"theme": "dark"})
    after = [Client().get(path).content for path in ("/bots/", f"/bots/{bots[0].slug}/")]
    assert before[0] != after[0]
    assert before[1] != after[1]


def test_a_bot_that_its_owner_renames_has_its_new_name_everywhere(memory, bots, paths):
    # The home page computes its numbers every five seconds, for users as well.
    others = [path for path in paths if path != "/"]
    shown = [path for path in others if b"Bot of mira" in Client().get(path).content]
    assert len(shown) >= 5
    address = f"/bots/{bots[0].slug}/settings/rename/"
    signed_in(bots[0].owner).post(address, {"name": "Whale"})
    assert Bot.objects.get(pk=bots[0].pk).name == "Whale"
    assert not [path for path in shown if b"Bot of mira" in Client().get(path).content]


def test_what_workers_write_is_visible_after_some_seconds(memory, bots, monkeypatch):
    Client().get("/bots/")
    Bot.objects.filter(pk=bots[0].pk).update(name="Magpie")
    assert b"Magpie" not in Client().get("/bots/").content
    later = guest_pages.monotonic() + guest_pages.SECONDS + 1
    monkeypatch.setattr(guest_pages, "monotonic", lambda: later)
    assert b"Magpie" in Client().get("/bots/").content


def test_a_refused_request_changes_nothing_for_others(memory):
    Client().get("/docs/")
    Client().post("/api/v1/matches", {}, content_type="application/json")
    with CaptureQueriesContext(connection) as queries:
        Client().get("/docs/")
    assert len(queries) == 0


def test_a_page_that_was_read_before_a_change_is_not_shown_after_it(memory, bots, monkeypatch):
    seen = []

    def change_meanwhile(request, response, revision):
        guest_pages.begin_revision()
        seen.append(revision)
        return kept(request, response, revision)

    kept = guest_pages._page
    monkeypatch.setattr(guest_pages, "_page", change_meanwhile)
    Client().get("/bots/")
    Client().get("/bots/")
    assert len(seen) == 2


def test_the_memory_drops_the_oldest_pages_when_it_is_full():
    memory = Memory(max_bytes=100)
    for number in range(5):
        memory.keep(number, Page("now", guest_pages.monotonic() + 60, (), b"x" * 30, None))
    assert [memory.find(number, "now") is not None for number in range(5)] == [False] * 2 + [
        True
    ] * 3
    memory.keep("huge", Page("now", guest_pages.monotonic() + 60, (), b"x" * 200, None))
    assert memory._bytes == 0


def test_the_theme_is_chosen_from_own_pages_only():
    strict = Client(enforce_csrf_checks=True)
    for own in ({"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://testserver"}):
        answer = strict.post("/theme/", {"theme": "dark", "next": "/docs/"}, headers=own)
        assert (answer.status_code, answer["Location"]) == (302, "/docs/")
        assert answer.cookies["theme"].value == "dark"
    for other in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://example.org"}):
        answer = strict.post("/theme/", {"theme": "light"}, headers=other)
        assert answer.status_code == 403
        assert "theme" not in answer.cookies
