"""Who sees and does what on the site: every page for everybody, and whatever is in the address."""

from collections import defaultdict
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLResolver, get_resolver, resolve

from league.accounts.models import User
from league.bots import services as bots
from league.bots.models import BotVersion
from league.tournaments.services import lifecycle as tournaments
from league.tournaments.services.recurring import create_recurring
from tests.league import factories
from tests.league.playground.runs import make_run

pytestmark = pytest.mark.django_db

WHO = ("guest", "other", "owner", "staff")
ALL = (200, 200, 200, 200)
MEMBERS = (302, 200, 200, 200)
OWN = (302, 404, 200, 404)
HIDDEN = (404, 404, 200, 404)
DEED = (302, 404, 302, 404)
STAFF = (302, 403, 403, 200)
CONFIG = {"format": "swiss", "seats": 3, "rounds": 2}
ANY: defaultdict[str, object] = defaultdict(lambda: 1, run=uuid4())
TABLE = [
    ("GET", "/", ALL),
    ("GET", "/accounts/signup/", (200, 302, 302, 302)),
    ("GET", "/accounts/login/", (200, 302, 302, 302)),
    ("GET", "/accounts/reset/", ALL),
    ("GET", "/accounts/reset/sent/", ALL),
    ("GET", "/accounts/reset/MQ/no-token/", ALL),
    ("GET", "/admin/login/", (302, 403, 403, 403)),
    ("GET", "/me/", MEMBERS),
    ("GET", "/me/lost/", (302, 302, 302, 302)),
    ("POST", "/me/first-steps/hide/", (302, 302, 302, 302)),
    ("GET", "/me/password/", MEMBERS),
    ("GET", "/me/settings/", MEMBERS),
    ("GET", "/me/tokens/", MEMBERS),
    ("POST", "/me/tokens/{key}/revoke/", DEED),
    ("GET", "/me/delete/", MEMBERS),
    ("GET", "/u/mira/", ALL),
    ("GET", "/bots/", ALL),
    ("GET", "/bots/new/", ALL),
    ("POST", "/bots/new/", (422, 422, 422, 422)),
    ("POST", "/bots/check/", (422, 422, 422, 422)),
    ("GET", "/play/", ALL),
    ("POST", "/play/", (422, 422, 422, 422)),
    ("POST", "/play/upload/", (302, 302, 302, 302)),
    ("GET", "/play/runs/{run}/", ALL),
    ("GET", "/play/runs/{run}/record.json", (404, 404, 404, 404)),
    ("GET", "/bots/shark/", ALL),
    ("GET", "/bots/shark/feed.atom", ALL),
    ("POST", "/bots/shark/challenge/", (302, 422, 422, 422)),
    ("GET", "/bots/shark/matches/", ALL),
    ("GET", "/bots/shark/opponents/", ALL),
    ("GET", "/bots/shark/faults/", ALL),
    ("GET", "/bots/shark/vs/anton/", ALL),
    ("POST", "/bots/shark/vs/anton/queue/", (302, 422, 422, 422)),
    ("POST", "/bots/shark/about/", DEED),
    ("GET", "/bots/shark/diff/", HIDDEN),
    ("GET", "/bots/anton/diff/", ALL),
    ("GET", "/bots/shark/settings/", OWN),
    ("GET", "/bots/shark/settings/delete/", OWN),
    ("POST", "/bots/shark/settings/rename/", (302, 404, 422, 404)),
    ("POST", "/bots/shark/settings/retire/", DEED),
    ("POST", "/bots/shark/settings/return/", DEED),
    ("GET", "/bots/shark/versions/", ALL),
    ("GET", "/bots/shark/versions/new/", OWN),
    ("POST", "/bots/shark/versions/new/", (302, 404, 422, 404)),
    ("POST", "/bots/shark/versions/check/", (404, 404, 422, 404)),
    ("GET", "/bots/shark/versions/1/", HIDDEN),
    ("GET", "/bots/anton/versions/1/", ALL),
    ("GET", "/bots/shark/versions/1/bot.py", HIDDEN),
    ("GET", "/bots/anton/versions/1/bot.py", ALL),
    ("GET", "/bots/owl/versions/2/", HIDDEN),
    ("GET", "/bots/owl/versions/2/files/model.py/", HIDDEN),
    ("GET", "/bots/owl/versions/2/raw/model.py", HIDDEN),
    ("GET", "/bots/owl/versions/2/bundle.zip", HIDDEN),
    ("GET", "/bots/owl/versions/2/delete/", OWN),
    ("POST", "/bots/owl/versions/2/delete/", DEED),
    ("POST", "/bots/shark/versions/1/delete/", (302, 404, 409, 404)),
    ("POST", "/bots/shark/versions/1/activate/", DEED),
    ("POST", "/bots/shark/versions/1/publish/", DEED),
    ("GET", "/uploads/drafts/2f1f7a36-4b0e-4c66-9d0c-0d3f3a1d7c55/", (302, 302, 302, 302)),
    ("GET", "/uploads/{version}/", OWN),
    ("GET", "/uploads/{version}/smoke/basari/", (302, 404, 200, 200)),
    ("GET", "/uploads/{version}/smoke/basari/record.json", (302, 404, 200, 200)),
    ("GET", "/matches/", ALL),
    ("GET", "/matches/{match}/", ALL),
    ("GET", "/matches/{match}.json", (301, 301, 301, 301)),
    ("GET", "/matches/{match}/embed/", ALL),
    ("GET", "/g/basari/", ALL),
    ("GET", "/g/basari/cards.json", ALL),
    ("GET", "/g/basari/cards/", ALL),
    ("GET", "/g/basari/feed.atom", ALL),
    ("GET", "/g/basari/leaderboard/", ALL),
    ("GET", "/g/basari/leaderboard.csv", ALL),
    ("GET", "/g/basari/leaderboard.json", ALL),
    ("GET", "/search/?q=shark", ALL),
    ("POST", "/theme/", (302, 302, 302, 302)),
    ("GET", "/docs/", ALL),
    ("GET", "/docs/components/", (404, 404, 404, 200)),
    ("GET", "/docs/errors/", ALL),
    ("GET", "/docs/errors/E101/", ALL),
    ("GET", "/docs/rules/basari/", ALL),
    ("GET", "/docs/house-bots/basari/leila/", ALL),
    ("GET", "/docs/quickstart/", ALL),
    ("GET", "/sdk/", ALL),
    ("GET", "/sdk/karat.whl", (302, 302, 302, 302)),
    ("GET", "/sdk/another.whl", (404, 404, 404, 404)),
    ("GET", "/status/", ALL),
    ("GET", "/status/inspections/", ALL),
    ("GET", "/metrics", ALL),
    ("GET", "/healthz", ALL),
    ("GET", "/sitemap.xml", ALL),
    ("GET", "/robots.txt", ALL),
    ("GET", "/staff/", STAFF),
    ("GET", "/staff/unbench/{benched}/", STAFF),
    ("POST", "/staff/unbench/{benched}/", (302, 403, 403, 302)),
    ("GET", "/staff/check/{stuck}/", STAFF),
    ("POST", "/staff/check/{stuck}/", (302, 403, 403, 302)),
    ("POST", "/staff/verify/basari/", (302, 403, 403, 302)),
    ("GET", "/staff/versions/{version}/", STAFF),
    ("GET", "/staff/versions/{version}/read/", STAFF),
    ("POST", "/staff/versions/{version}/read/", STAFF),
    ("GET", "/tournaments/", ALL),
    ("GET", "/tournaments/new/", MEMBERS),
    ("POST", "/tournaments/new/", (302, 422, 422, 422)),
    ("POST", "/tournaments/new/cost/", MEMBERS),
    ("GET", "/tournaments/feed.atom", ALL),
    ("GET", "/tournaments.ics", ALL),
    ("GET", "/tournaments/friday-cup.ics", ALL),
    ("GET", "/tournaments/friday-cup/", ALL),
    ("GET", "/tournaments/secret-cup/edit/", (302, 404, 200, 200)),
    ("POST", "/tournaments/friday-cup/enter/", (302, 404, 404, 404)),
    ("POST", "/tournaments/friday-cup/withdraw/", (302, 404, 404, 404)),
    ("GET", "/tournaments/friday-cup/standings/", ALL),
    ("GET", "/tournaments/friday-cup/standings.csv", ALL),
    ("GET", "/tournaments/friday-cup/standings.json", ALL),
    ("GET", "/tournaments/friday-cup/rounds/", (302, 302, 302, 302)),
    ("GET", "/tournaments/friday-cup/rounds/1/", ALL),
    ("GET", "/tournaments/friday-cup/bracket/", ALL),
    ("GET", "/tournaments/friday-cup/schedule/", ALL),
    ("GET", "/tournaments/friday-cup/entries/", ALL),
    ("GET", "/tournaments/friday-cup/rules/", ALL),
    ("GET", "/tournaments/friday-cup/log/", (404, 404, 200, 200)),
    ("GET", "/tournaments/friday-cup/manage/", (302, 403, 200, 200)),
    ("POST", "/tournaments/friday-cup/manage/lock/", (302, 403, 302, 302)),
    ("GET", "/tournaments/friday-cup/manage/cancel/confirm/", (302, 403, 200, 200)),
    ("GET", "/tournaments/friday-cup/remote/", (302, 403, 200, 200)),
    ("POST", "/tournaments/friday-cup/remote/pause/", (302, 403, 302, 302)),
    ("GET", "/tv/", ALL),
    ("GET", "/tv/?event=friday-cup", ALL),
    ("GET", "/tv/?event=secret-cup", (404, 404, 404, 404)),
    ("GET", "/tournaments/secret-cup/", (404, 404, 200, 200)),
    ("GET", "/tournaments/recurring/sunday-cup/", ALL),
    ("POST", "/tournaments/recurring/sunday-cup/stop/", (302, 403, 302, 302)),
    ("POST", "/tournaments/recurring/sunday-cup/resume/", (302, 403, 302, 302)),
    ("GET", "/organise/", MEMBERS),
    # At the end: nobody is signed in after it.
    ("POST", "/accounts/logout/", (302, 302, 302, 302)),
]


@pytest.fixture
def league():
    """A bot of Mira's that played, was checked, was benched; a cup of hers; a bot of the house."""
    mira = factories.make_user("mira")
    shark = factories.make_player(mira, "Shark")
    factories.make_smoke_match(shark.active)
    table = [shark, *(factories.make_player(None, name) for name in ("Anton", "Berta"))]
    match = factories.make_match(table)
    factories.rate_all()
    owl = factories.make_bot(mira, "Owl")
    stuck = factories.make_version(owl, status=BotVersion.Status.STUCK)
    factories.make_version(owl, factories.make_bundle(), status=BotVersion.Status.REJECTED)
    benched = factories.make_player(mira, "Tin Cup").active
    bots.bench(benched, "3 faults in its last 10 matches")
    factories.make_key(mira)
    tournaments.publish(factories.make_tournament(mira), mira)
    factories.make_tournament(mira, "Secret Cup")
    create_recurring(mira, "Sunday Cup", factories.GAME, CONFIG, cron="30 18 * * SUN", zone="UTC")
    return {
        "version": shark.active.pk,
        "run": make_run().key,
        "match": match.pk,
        "stuck": stuck.pk,
        "benched": benched.pk,
        "key": mira.tokens.get().pk,
    }


def clients():
    """Somebody of every kind, signed in."""
    found = {who: Client() for who in WHO}
    found["other"].force_login(factories.make_user("tom"))
    found["owner"].force_login(User.objects.get(username="mira"))
    found["staff"].force_login(factories.make_user("boss", is_staff=True))
    return found


def answer(client, method, address, form=""):
    """What somebody is answered; nothing stays of what was done."""
    with transaction.atomic():
        kind = "application/x-www-form-urlencoded"
        status = client.generic(method, address, form, content_type=kind).status_code
        transaction.set_rollback(True)
    return status


def test_everybody_sees_and_does_what_is_theirs(league):
    people = clients()
    seen = [
        (method, path, tuple(answer(one, method, path.format(**league)) for one in people.values()))
        for method, path, _ in TABLE
    ]
    assert seen == TABLE


def routes(patterns, before=""):
    for one in patterns:
        route = f"{before}{one.pattern}"
        if not isinstance(one, URLResolver):
            yield route
        elif not route.startswith(("admin/", "api/")):
            yield from routes(one.url_patterns, route)


# Whether a league is ready is nobody's secret, and here it depends on how the tests are run.
OPEN = {"readyz"}


def test_the_table_has_every_page():
    named = {resolve(path.split("?")[0].format_map(ANY)).route for _, path, _ in TABLE}
    assert set(routes(get_resolver().url_patterns)) - named == OPEN


HOSTILE = ["%00", "9" * 30, "%D9%A3'%22%3C%ff"]
"""A zero, a number no column holds, and a digit of another script among signs."""
NAMES = "q page game seats view step old new from sort behind author kind fault table provisional"
NAMES += " house benched opponent bot version status period theme template predictions like next"
NAMES += " name code note about public invite_code do because typed username email password"
NAMES += " event ask revision match speed pane key"


@pytest.mark.parametrize("value", HOSTILE)
def test_no_page_breaks_whatever_its_address_or_form_says(league, value):
    people = clients()
    query = "&".join(f"{name}={value}" for name in NAMES.split())
    for method, path, expected in TABLE:
        who = "staff" if expected[3] < 400 else "owner"
        address = path.format(**league)
        said = f"{address}?{query}" if method == "GET" else address
        status = answer(people[who], method, said, "" if method == "GET" else query)
        assert status < 500, path
