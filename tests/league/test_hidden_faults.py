"""Rotations of a deal are shown together. Until then nobody learns how one of them went, not even
from its faults or ratings.
"""

import re
from uuid import uuid4

import pytest
from django.test import Client

from league.ladder import rating
from league.matches import services as matches
from league.matches.models import Match
from runners.match import Fault
from tests.league.factories import (
    GAME,
    finish_match,
    make_key,
    make_player,
    make_user,
    rate_all,
)

pytestmark = pytest.mark.django_db

DETAIL = "KeyError in the very deal"
PAGES = [
    "/me/",
    "/bots/shark/",
    "/bots/shark/faults/",
    "/bots/shark/matches/",
    "/bots/shark/matches/?fault=any",
    "/bots/shark/versions/",
    "/bots/shark/feed.atom",
    "/matches/",
    "/matches/{match}/",
    f"/g/{GAME}/leaderboard/",
    f"/g/{GAME}/leaderboard.csv",
    f"/g/{GAME}/leaderboard.json",
    f"/g/{GAME}/feed.atom",
    "/api/v1/matches",
    "/api/v1/matches/{match}",
    "/api/v1/matches/{match}/record",
    "/api/v1/matches/{match}/log",
    "/api/v1/bots/shark",
    f"/api/v1/leaderboards/{GAME}",
]


@pytest.fixture
def rotations():
    """Two matches of one deal with a bot of Mira's; both wait."""
    owner = make_user("mira")
    players = [make_player(owner, "Shark"), make_player(None, "Anton"), make_player(None, "Berta")]
    rate_all()
    group = uuid4()
    versions = [bot.active for bot in players]
    return owner, [
        matches.make(GAME, versions, Match.Kind.TOURNAMENT, rated=True, group=group)
        for _ in range(2)
    ]


def ask(owner, key, match):
    """Every address as everybody sees it."""
    browser, guest = Client(), Client()
    browser.force_login(owner)
    seen = {}
    for path in PAGES:
        address = path.format(match=match.pk)
        if path.startswith("/api/"):
            headers = {"Authorization": f"Bearer {key}"}
            seen[path, "owner"] = guest.get(address, headers=headers).content.decode()
        else:
            seen[path, "owner"] = browser.get(address).content.decode()
        seen[path, "guest"] = guest.get(address).content.decode()
    return seen


def tell(seen):
    """The places that tell of the fault. Filters offer every code there is."""
    plain = {place: re.sub(r"<option.*?</option>", "", text) for place, text in seen.items()}
    return {place for place, text in plain.items() if DETAIL in text or "E303" in text}


def test_faults_of_a_hidden_match_are_shown_when_its_deal_is(rotations):
    owner, (first, second) = rotations
    key = make_key(owner)
    finish_match(first, faults=[Fault(0, 3, "E303", DETAIL, "Traceback")])
    rating.rate(GAME)
    hidden = ask(owner, key, first)
    assert tell(hidden) == set()
    assert "No faults, and no rated match yet." in hidden["/bots/shark/faults/", "owner"]
    first.refresh_from_db()
    assert (first.hidden, first.rated_no) == (True, None)

    finish_match(second)
    rating.rate(GAME)
    shown = tell(ask(owner, key, first))
    assert {(path, "owner") for path in ("/me/", "/bots/shark/faults/")} <= shown
    assert {(path, "guest") for path in ("/bots/shark/faults/", "/api/v1/matches/{match}")} <= shown
    first.refresh_from_db()
    second.refresh_from_db()
    assert {first.rated_no, second.rated_no} == {1, 2}
