"""A bot of which no version was ever accepted is seen by its owner and staff only."""

import pytest
from django.core.cache import cache
from django.test import Client

from league.bots import retirement
from league.bots.models import BotVersion
from tests.league import factories
from tests.league.asking import ask, pages

pytestmark = pytest.mark.django_db

PAGES = (
    "/bots/fresh/",
    "/bots/fresh/versions/",
    "/bots/fresh/matches/",
    "/bots/fresh/opponents/",
    "/bots/fresh/faults/",
)
LISTS = ("/bots/", "/search/?q=fresh", "/sitemap.xml", "/", "/users/mira/")
ADDRESSES = (
    "bots/fresh",
    "bots/fresh/versions",
    "bots/fresh/versions/1",
    "bots/fresh/versions/1/source",
    "bots/fresh/ratings",
    "bots/fresh/ratings/basari",
)


@pytest.fixture
def owner():
    return factories.make_user("mira")


@pytest.fixture(params=["none", BotVersion.Status.REJECTED, BotVersion.Status.WAITING])
def fresh(owner, request):
    cache.clear()
    bot = factories.make_bot(owner, "Fresh")
    if request.param != "none":
        factories.make_version(bot, status=request.param)
    return bot


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_nobody_else_sees_it(fresh, owner):
    stranger = factories.make_user("ada")
    for client in (Client(), signed_in(stranger)):
        assert {path: client.get(path).status_code for path in PAGES} == dict.fromkeys(PAGES, 404)
        for path in LISTS:
            assert "/bots/fresh/" not in client.get(path).content.decode(), path
        assert client.get("/bots/fresh/feed.atom").status_code == 404
    for key in (None, factories.make_key(stranger)):
        assert "fresh" not in [bot["slug"] for page in pages("bots", key=key) for bot in page]
        for path in ADDRESSES:
            assert ask(path, key=key).status_code == 404, path


def test_its_owner_and_staff_see_it(fresh, owner):
    for user in (owner, factories.make_user("staff", is_staff=True)):
        client = signed_in(user)
        assert {path: client.get(path).status_code for path in PAGES} == dict.fromkeys(PAGES, 200)
        assert "/bots/fresh/" in client.get("/bots/").content.decode()
    key = factories.make_key(owner)
    assert [bot["slug"] for page in pages("bots", key=key) for bot in page] == ["fresh"]
    assert ask("bots/fresh", key=key).status_code == 200
    assert "Fresh" in signed_in(owner).get("/me/").content.decode()


def test_its_name_stays_its_owners(fresh):
    key = factories.make_key(factories.make_user("ada"))
    assert ask("bots", key=key, method="POST", send={"name": "Fresh"}).status_code == 409


def test_it_becomes_public_with_its_first_accepted_version_and_stays_so(fresh):
    factories.make_version(fresh)
    assert Client().get("/bots/fresh/").status_code == 200
    factories.make_version(fresh, status=BotVersion.Status.REJECTED)
    retirement.retire(fresh)
    assert Client().get("/bots/fresh/").status_code == 200


def test_deleting_it_is_offered(fresh, owner):
    page = signed_in(owner).get("/bots/fresh/settings/").content.decode()
    assert "Delete Fresh…" in page
    signed_in(owner).post("/bots/fresh/settings/delete/")
    key = factories.make_key(factories.make_user("ada"))
    assert ask("bots", key=key, method="POST", send={"name": "Fresh"}).status_code == 201
