"""Arbitrary text in everything that a stranger can type: no page breaks, and nothing gets stuck.

Runs on both databases: PostgreSQL takes no zero byte, and neither takes half of a surrogate pair.
"""

import json
from itertools import count
from urllib.parse import quote_from_bytes

import pytest
from django.test import Client
from hypothesis import HealthCheck, example, given, settings as effort, strategies as st

from league.bots import checks
from league.bots.models import BotVersion
from league.playground.forms import usual_setup
from tests.league.asking import ask
from tests.league.factories import NEXT_YEAR, make_bot, make_key, make_player, make_user

pytestmark = pytest.mark.django_db

TEXT = st.text(st.characters(exclude_categories=[]), max_size=30)
"""Whatever can stand in a Python text, half of a surrogate pair included."""
NASTY = ("\x00", "a\ud800", "\u202e\U0010ffff", "9" * 30, "٣%s{0}")
_names = count(1)


def arbitrary(test):
    """A few generated texts, and all that broke something once."""
    for text in NASTY:
        test = example(text)(test)
    few = effort(max_examples=3, suppress_health_check=list(HealthCheck))
    return few(given(TEXT)(test))


def encoded(values):
    """A form as a hostile program sends it; a browser could not."""
    pairs = (
        f"{name}={quote_from_bytes(str(value).encode('utf-8', 'surrogatepass'))}"
        for name, value in values.items()
    )
    return "&".join(pairs)


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


QUERIES = {
    "/search/": ("q",),
    "/bots/": ("q", "page", "game", "owner", "sort"),
    "/bots/new/": ("game",),
    "/play/": ("game",),
    "/matches/": ("game", "bot", "status", "kind", "cursor", "page", "user"),
    "/g/basari/leaderboard/": ("q", "page", "owner", "sort"),
    "/tournaments/": ("page", "game", "state"),
    "/tournaments/new/": ("template", "like"),
    "/accounts/login/": ("next",),
    "/bots/{slug}/": ("page", "game"),
    "/bots/{slug}/diff/": ("old", "new"),
    "/bots/{slug}/versions/new/": ("from",),
    "/bots/{slug}/matches/": ("game", "result", "opponent", "cursor", "page"),
    "/bots/{slug}/opponents/": ("game", "sort", "page"),
    "/bots/{slug}/faults/": ("code", "page"),
    "/api/v1/bots": ("cursor", "limit"),
    "/api/v1/matches": ("cursor", "limit", "game", "bot", "status"),
    "/api/v1/tournaments": ("cursor", "game", "state"),
    "/api/v1/ladders/basari": ("cursor", "owner", "q"),
}


@arbitrary
def test_in_every_query(text):
    user = make_user()
    slug = make_player(user).slug
    client = signed_in(user)
    for path, names in QUERIES.items():
        # The API says no to the first value that it does not understand.
        groups = [[name] for name in names] if path.startswith("/api/") else [names]
        for group in groups:
            address = f"{path.format(slug=slug)}?{encoded(dict.fromkeys(group, text))}"
            assert client.get(address).status_code < 500, address


FORMS = {
    "/bots/new/": {"name": "Shark {}", "code": "x = 1", "note": ""},
    "/bots/check/": {"code": "x = 1"},
    "/play/": {
        **usual_setup("basari"),
        "seed": "7",
        "again": "",
    },
    "/play/upload/": {"code": "x = 1"},
    "/bots/{slug}/versions/new/": {"code": "x = 1", "note": ""},
    "/bots/{slug}/about/": {"about": ""},
    "/me/tokens/": {"name": "mine", "scopes": "read"},
    "/me/settings/": {"email": "a@b.example", "password": "open sesame"},
    "/accounts/login/": {"username": "mira", "password": "open sesame"},
    "/accounts/reset/": {"email": "a@b.example"},
    "/accounts/signup/": {"username": "mira{}", "password": "rather a long one", "email": ""},
    "/tournaments/new/": {
        "name": "Cup {}",
        "about": "",
        "game": "basari",
        "format": "swiss",
        "seats": "4",
        "rounds": "2",
        "deals": "1",
        "points": "",
        "max_entries": "8",
        "per_user": "2",
        "invite_code": "",
        "versions": "frozen",
        "starts_at": f"{NEXT_YEAR}-03-08T18:30",
        "zone": "UTC",
        "repeat": "cron",
        "cron": "30 18 * * FRI",
        "opens_hours": "24",
        "do": "draft",
    },
}


CHOICES = {"game", "format", "versions", "repeat", "do", "scopes", "rounds", "deals", "per_user"}
"""Fields of few values, or all of one kind; one of each kind suffices."""


@arbitrary
def test_in_every_field_of_every_form(text):
    user = make_user()
    slug = make_player(user).slug
    known = signed_in(user)
    for path, fields in FORMS.items():
        for field in fields.keys() - CHOICES:
            # Others are who signs up.
            client = Client() if "accounts" in path else known
            values = {name: value.format(next(_names)) for name, value in fields.items()}
            answer = client.post(
                path.format(slug=slug),
                encoded(values | {field: text}),
                content_type="application/x-www-form-urlencoded",
            )
            assert answer.status_code < 500, (path, field)
    assert signed_in(user).get("/me/").status_code == 200
    for page in ("/bots/", "/tournaments/", "/tournaments.ics", "/tournaments/feed.atom"):
        assert Client().get(page).status_code == 200, page


BODIES = {
    "bots": {"name": "Shark {}", "about": ""},
    "bots/{slug}/versions": {"source": "x = 1", "note": ""},
    "challenges": {"game": "basari", "bots": ["greedy"]},
    "tournaments": {
        "name": "Cup {}",
        "about": "",
        "game": "basari",
        "invite_code": "",
        "config": {"format": "swiss", "seats": 4, "seed": "a"},
        "versions": "frozen",
        "options": {"dealer": "a"},
        "starts_at": f"{NEXT_YEAR}-03-08T18:30:00Z",
    },
}


def variants(body, text):
    """The body with the text in one place, for each place: values, names and items."""
    for name, value in body.items():
        if isinstance(value, dict):
            yield from ({**body, name: one} for one in variants(value, text))
            yield {**body, name: {**value, text: 1}}
        yield {**body, name: [text] if isinstance(value, list) else text}


@arbitrary
def test_in_every_value_of_the_api(text):
    user = make_user()
    key, slug = make_key(user), make_bot(user).slug
    for path, body in BODIES.items():
        filled = {k: v.format(next(_names)) if isinstance(v, str) else v for k, v in body.items()}
        for variant in variants(filled, text):
            send = json.dumps(variant).encode()
            answer = ask(path.format(slug=slug), method="POST", key=key, send=send)
            assert answer.status_code < 500, (path, variant, answer.content)
    assert ask("tournaments").status_code == 200


@arbitrary
def test_in_a_source_whose_check_always_comes_to_an_end(text):
    user = make_user()
    client, bot = signed_in(user), make_bot(user)
    head = "from bots_sdk import Bot\n\n\nclass A(Bot):\n    "
    sources = [
        f"{head}games = [{text!r}]\n",
        f"{head}games = [{text!r}, 'chess']\n    def decide(self, {text}): 0\n",
        f"import {text}\n",
        f"x = '{text}\n",
    ]
    for source in sources:
        values = {"code": source, "note": str(next(_names))}
        client.post(
            f"/bots/{bot.slug}/versions/new/",
            encoded(values),
            content_type="application/x-www-form-urlencoded",
        )
        ask(f"bots/{bot.slug}/versions", method="POST", key=make_key(user), send={"source": source})
    assert BotVersion.objects.filter(bot=bot, number=1).exists()
    while lease := checks.claim():
        checks.run(lease)
    for version in BotVersion.objects.filter(bot=bot):
        assert version.status == BotVersion.Status.REJECTED
        assert client.get(version.get_absolute_url()).status_code == 200
