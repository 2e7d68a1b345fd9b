"""A class of sixty behind one address reads, types and plays, and nobody is turned away."""

import re
from pathlib import Path

import pytest
from django.test import Client

from league.bots.views import upload
from tests.league.asking import ask
from tests.league.factories import SOURCE, make_key, make_user

ADDRESS = "203.0.113.9"
PUPILS = 60
NGINX = (Path(__file__).parents[3] / "deploy" / "nginx.conf").read_text()


@pytest.mark.django_db
def test_sixty_browsers_at_one_address_read_and_type_without_a_429(monkeypatch):
    browsers = [Client() for _ in range(PUPILS)]
    statuses = [
        browser.get(path, REMOTE_ADDR=ADDRESS).status_code
        for browser in browsers
        for path in ("/docs/", *["/api/v1/games"] * 6)
    ]
    # What a check finds is not the question here.
    monkeypatch.setattr(upload, "read_for", lambda *_: upload.Reading(SOURCE))
    statuses += [
        browser.post("/bots/check/", {"code": SOURCE}, REMOTE_ADDR=ADDRESS).status_code
        for browser in browsers
        for _ in range(6)
    ]
    assert set(statuses) == {200}


@pytest.mark.django_db
def test_members_are_counted_by_their_account_and_not_by_the_address_of_their_class(settings):
    settings.API_REQUESTS_OF_KEY = 2
    keys = [make_key(make_user()) for _ in range(5)]
    assert {ask("me", key=key).status_code for key in keys for _ in range(2)} == {200}


def test_nginx_gives_a_hundred_people_behind_one_address_room():
    zones = dict(re.findall(r"zone=(\w+):\w+ rate=(\d+)r/s", NGINX))
    bursts = {zone: int(burst) for zone, burst in re.findall(r"zone=(\w+) burst=(\d+)", NGINX)}
    # Each of a hundred opens a page of the site within the same second, then one every second.
    assert int(zones["karat_address"]) >= 100
    assert bursts["karat_address"] >= 200
    # One person clicks through the site quickly.
    assert (int(zones["karat_person"]), bursts["karat_person"]) >= (10, 60)
    static = re.search(r"location /static/ \{(.*?)\n    \}", NGINX, re.DOTALL)[1]
    assert "limit_req" not in static
