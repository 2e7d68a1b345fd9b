"""Strangers' files at the site: read in children, bounded, and not again for every view."""

import time
from dataclasses import asdict
from resource import RUSAGE_CHILDREN, getrusage

import pytest
from django.db import connection

from league.bots.source import budget, highlight
from runners.faults import message
from tests.league.asking import ask
from tests.league.factories import SOURCE, make_bot, make_key, make_user, make_version

pytestmark = pytest.mark.django_db

CHAIN = "class a0(Bot):decide=0\n" + "".join(f"class a{n + 1}(a{n}):0\n" for n in range(450))
HOSTILE = {
    "a chain of classes": (CHAIN, "No problems found"),
    "statements without end": ("1;" * (120 << 10), "E106"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_guest_who_checks_a_hostile_file_does_not_keep_the_site_busy(client, name):
    code, words = HOSTILE[name]
    client.post("/bots/check/", {"code": SOURCE})
    begun = time.process_time()
    answer = client.post("/bots/check/", {"code": code}, headers={"HX-Request": "true"})
    assert words in answer.content.decode()
    assert time.process_time() - begun < 0.5


def test_the_page_of_a_check_reads_its_file_once(client):
    owner = make_user()
    client.force_login(owner)
    version = make_version(make_bot(owner), f"{SOURCE}# viewed\n", status="waiting")
    first = client.get(version.get_absolute_url())
    before = getrusage(RUSAGE_CHILDREN)
    assert client.get(version.get_absolute_url()).content.count(b"Answers the test set") == 3
    assert getrusage(RUSAGE_CHILDREN) == before
    assert first.status_code == 200


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL never took such a step")
def test_a_step_of_before_that_quotes_half_a_character_breaks_no_page(client):
    owner = make_user()
    client.force_login(owner)
    version = make_version(make_bot(owner), status="rejected")
    told = asdict(message("E107", name="A", games="\ud800", game="basari"))
    step = {"name": "class", "ok": False, "text": told["title"], "ms": 1.0, "message": told}
    type(version).objects.update(steps=[step])
    page = client.get(version.get_absolute_url())
    assert (page.status_code, b"plays ?, not basari" in page.content) == (200, True)
    path = f"bots/{version.bot.slug}/versions/1"
    assert ask(path, key=make_key(owner)).json()["steps"][0]["message"]["code"] == "E107"


def test_who_asks_for_too_much_reading_is_told_to_wait(client, monkeypatch):
    monkeypatch.setattr(budget, "MAX_USER_SECONDS", 0)
    assert client.post("/bots/check/", {"code": f"{SOURCE}# 1\n"}).status_code == 200
    client.force_login(make_user())
    assert client.post("/bots/check/", {"code": f"{SOURCE}# 2\n"}).status_code == 200
    refused = client.post("/bots/check/", {"code": f"{SOURCE}# 3\n"})
    assert (refused.status_code, b"L008" in refused.content) == (429, True)
    assert b"# 3" in refused.content


@pytest.mark.parametrize("text", [" \n" * 1500 + " " * 30_000, "match" + " " * 60_000])
def test_a_text_that_keeps_the_colouring_busy_is_shown_in_one_colour(text):
    begun = time.process_time()
    page = highlight.lines(text)
    assert time.process_time() - begun < 0.5
    assert 'id="line-1"' in page
    assert '<span class="k' not in page


def test_an_ordinary_file_has_colours_and_is_coloured_once():
    page = highlight.lines(SOURCE)
    assert '<span class="k">class</span>' in page
    before = getrusage(RUSAGE_CHILDREN)
    assert highlight.lines(SOURCE) is page
    assert getrusage(RUSAGE_CHILDREN) == before
