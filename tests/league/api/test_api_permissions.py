"""Who may do what by the API: every endpoint for everybody."""

import re
from hashlib import sha256
from io import BytesIO

import pytest

from league.accounts import services as accounts
from league.api.app import api
from league.api.openapi import operations
from league.bots import services as bots
from league.bots.bundles import stepwise
from league.bots.models import BotVersion
from league.tournaments.models import Tournament
from league.tournaments.services import entries, lifecycle as tournaments
from runners.bundles.bundle import ListedFile
from runners.match import Fault
from tests.league import factories
from tests.league.asking import ROOT, ask
from tests.league.factories import NEXT_YEAR

pytestmark = pytest.mark.django_db

SECRETS = {
    "excerpt": "secret of a step of the check",
    "source": "SECRET = 'of the source'",
    "data": "secret of a bundle",
    "printed": "secret of the log",
    "note": "secret of a note",
    "traceback": "secret of a traceback",
}
WHO = ("guest", "other", "owner", "staff", "no scope")
ALL = (200, 200, 200, 200, 200)

TOURNAMENT = {
    "name": "New Cup",
    "game": "basari",
    "config": {"format": "swiss", "seats": 3, "rounds": 2},
    "starts_at": f"{NEXT_YEAR}-03-06T18:30:00Z",
}
EMPTY = sha256(b"").hexdigest()
FILE = {"path": "bot.py", "size": 0, "digest": EMPTY}
TABLE = [
    # method, path, body, status for: guest, another user, owner, staff, owner without the scope
    ("GET", "games", None, ALL),
    ("GET", "status", None, ALL),
    ("GET", "me", None, (401, 200, 200, 200, 200)),
    ("GET", "bots", None, ALL),
    ("GET", "bots/shark", None, ALL),
    ("GET", "bots/shark/versions", None, ALL),
    ("GET", "bots/shark/versions/1", None, ALL),
    ("GET", "bots/shark/versions/1/source", None, (404, 404, 200, 404, 403)),
    ("GET", "bots/open-book/versions/1/source", None, ALL),
    ("GET", "bots/house-one/versions/1/source", None, ALL),
    ("GET", "bots/shark/ratings", None, ALL),
    ("GET", "bots/shark/ratings/basari", None, ALL),
    ("GET", "leaderboards/basari", None, ALL),
    ("GET", "matches", None, ALL),
    ("GET", "matches/{match}", None, ALL),
    ("GET", "matches/{match}/record", None, ALL),
    ("GET", "matches/{match}/record?view=0", None, ALL),
    ("GET", "matches/{match}/record?notes=mine", None, (401, 403, 200, 403, 403)),
    ("GET", "matches/{match}/chances", None, ALL),
    ("GET", "matches/{match}/log", None, (401, 404, 200, 404, 403)),
    ("GET", "matches/{hidden}", None, (404, 404, 404, 404, 404)),
    ("GET", "matches/{hidden}/record", None, (404, 404, 404, 404, 404)),
    ("GET", "matches/{hidden}/chances", None, (404, 404, 404, 404, 404)),
    ("GET", "matches/{hidden}/log", None, (401, 404, 404, 404, 403)),
    ("POST", "bots", {"name": "New Bot"}, (401, 201, 201, 201, 403)),
    ("POST", "bots/shark/versions", {"source": "x = 1"}, (401, 403, 202, 403, 403)),
    ("POST", "bots/house-one/versions", {"source": "x = 1"}, (401, 403, 403, 403, 403)),
    ("PATCH", "bots/shark", {"about": "Bites."}, (401, 403, 200, 403, 403)),
    ("DELETE", "bots/shark", None, (401, 403, 409, 403, 403)),
    ("POST", "bots/shark/versions/1/activate", None, (401, 403, 200, 403, 403)),
    ("DELETE", "bots/shark/versions/1", None, (401, 403, 409, 403, 403)),
    ("GET", "bots/shark/versions/2/files", None, (404, 404, 200, 404, 403)),
    ("GET", "bots/shark/versions/2/files/model.py", None, (404, 404, 200, 404, 403)),
    ("GET", "bots/shark/versions/2/bundle.zip", None, (404, 404, 200, 404, 403)),
    ("GET", "uploads", None, (401, 200, 200, 200, 403)),
    ("POST", "bots/shark/uploads", {"files": [FILE]}, (401, 403, 201, 403, 403)),
    ("GET", "uploads/{upload}", None, (401, 404, 200, 404, 403)),
    ("PUT", "uploads/{upload}/blobs/{digest}", None, (401, 404, 204, 404, 403)),
    ("POST", "uploads/{upload}/finish", None, (401, 404, 202, 404, 403)),
    ("DELETE", "uploads/{open}", None, (401, 404, 204, 404, 403)),
    ("POST", "leaderboards/basari/entries/shark", None, (401, 403, 200, 403, 403)),
    ("DELETE", "leaderboards/basari/entries/shark", None, (401, 403, 204, 403, 403)),
    ("GET", "tournaments", None, ALL),
    ("GET", "tournaments/friday-cup", None, ALL),
    ("GET", "tournaments/friday-cup/standings", None, ALL),
    ("GET", "tournaments/friday-cup/rounds", None, ALL),
    ("GET", "tournaments/secret-cup", None, (404, 404, 200, 200, 200)),
    ("GET", "tournaments/secret-cup/standings", None, (404, 404, 200, 200, 200)),
    ("POST", "tournaments", TOURNAMENT, (401, 201, 201, 201, 201)),
    ("POST", "tournaments", TOURNAMENT | {"rated": True}, (401, 403, 403, 201, 403)),
    ("POST", "tournaments/friday-cup/entries", {"bot": "shark"}, (401, 403, 201, 403, 403)),
    ("DELETE", "tournaments/friday-cup/entries/tin-cup", None, (401, 403, 204, 403, 403)),
    (
        "POST",
        "matches",
        {"game": "basari", "bots": ["shark", "house-one", "open-book"]},
        (401, 201, 201, 201, 403),
    ),
]


@pytest.fixture
def league():
    """A small league: a private bot, a published one, one of the house, and what they played."""
    owner = factories.make_user("mira")
    shark = factories.make_bot(owner, "Shark")
    version = factories.make_version(shark, f"{factories.SOURCE}\n{SECRETS['source']}\n")
    step = {"name": "start", "ok": True, "text": "", "ms": 1.0, "excerpt": SECRETS["excerpt"]}
    BotVersion.objects.filter(pk=version.pk).update(steps=[step])
    shark.refresh_from_db()
    bundle = factories.make_bundle(note=SECRETS["data"])
    factories.make_version(shark, bundle, status=BotVersion.Status.WAITING)
    empty = [ListedFile("bot.py", 0, EMPTY), ListedFile("a", 0, EMPTY)]
    book = factories.make_player(factories.make_user("opal"), "Open Book")
    bots.publish_source(book.active, True)
    table = [shark, book, factories.make_player(None, "House One")]
    match = factories.make_match(
        table,
        printed={0: SECRETS["printed"]},
        notes={0: SECRETS["note"]},
        faults=[Fault(0, 4, "E303", "KeyError", SECRETS["traceback"])],
    )
    hidden = factories.make_match(table)
    hidden.hidden = True
    hidden.save()
    factories.pretend_chances(match)
    factories.pretend_chances(hidden)
    factories.rate_all()
    for name in ("Friday Cup", "Secret Cup"):
        factories.make_tournament(owner, name)
    tournaments.publish(Tournament.objects.get(slug="friday-cup"), owner)
    entries.enter(
        Tournament.objects.get(slug="friday-cup"), factories.make_player(owner, "Tin Cup"), owner
    )
    upload = stepwise.begin(shark, empty)
    stepwise.receive(upload, EMPTY, BytesIO())
    return {
        "owner": owner,
        "match": match.pk,
        "hidden": hidden.pk,
        "upload": upload.pk,
        "open": stepwise.begin(shark, bundle.listing.files).pk,
        "digest": EMPTY,
    }


def key_of(who, league):
    if who == "guest":
        return None
    if who == "no scope":
        return factories.make_key(league["owner"], "organise")
    if who == "owner":
        return factories.make_key(league["owner"])
    return factories.make_key(factories.make_user(who, is_staff=who == "staff"))


def row_id(row):
    method, path, body, _ = row
    return f"{method} {path}{' rated' if body and 'rated' in body else ''}"


@pytest.mark.parametrize(
    ("method", "path", "body", "expected"), TABLE, ids=[row_id(row) for row in TABLE]
)
def test_everybody_may_do_what_the_table_says_and_no_more(league, method, path, body, expected):
    # Refusals first, so that nobody is refused only because another one was there before.
    for who, status in sorted(zip(WHO, expected, strict=True), key=lambda one: -one[1]):
        sent = body and {
            **body,
            **({"name": f"Bot {WHO.index(who)}"} if "name" in body else {}),
        }
        key = key_of(who, league)
        answer = ask(path.format(**league), method=method, key=key, send=sent)
        assert answer.status_code == status, (who, answer.content)
        if status >= 400:
            assert answer["Content-Type"] == "application/problem+json"
            assert answer.json()["code"] == {404: "L010", 409: "L014"}.get(status, "L007")


def test_the_table_has_every_endpoint():
    named = [f"{method} {path.split('?')[0]}" for method, path, *_ in TABLE]
    for path, method, _ in operations(api.get_openapi_schema()):
        shape = re.sub(r"{[^}]+}", "[^/]+", f"{method.upper()} {path.removeprefix(ROOT)}")
        assert any(re.fullmatch(shape, one) for one in named), (method, path)


@pytest.mark.parametrize("who", ["guest", "other", "staff"])
def test_no_answer_to_others_holds_anything_private(league, who):
    key = key_of(who, league)
    secret_key = factories.make_key(league["owner"])
    for method, path, *_ in TABLE:
        if method == "GET":
            text = ask(path.format(**league), key=key).content.decode()
            for name, secret in {**SECRETS, "key": secret_key}.items():
                assert secret not in text, (path, name)


def test_the_owner_sees_all_of_it(league):
    key = key_of("owner", league)
    match = league["match"]
    assert SECRETS["source"] in ask("bots/shark/versions/1/source", key=key).content.decode()
    assert SECRETS["data"] in ask("bots/shark/versions/2/files/bot.py", key=key).content.decode()
    assert SECRETS["excerpt"] in ask("bots/shark/versions/1", key=key).content.decode()
    [seat] = ask(f"matches/{match}/log", key=key).json()
    assert seat["printed"] == SECRETS["printed"]
    assert SECRETS["note"] in seat["notes"].values()
    assert seat["faults"][0]["traceback"] == SECRETS["traceback"]
    assert SECRETS["note"] in ask(f"matches/{match}/record?notes=mine", key=key).content.decode()


@pytest.mark.parametrize("path", ["games", "me", "bots/shark", "nowhere"])
@pytest.mark.parametrize(
    "header", ["Bearer karat_guessed", "Bearer ", "Bearer", "Basic bWlyYTpvcGVu", "karat", ""]
)
def test_a_wrong_key_is_refused_even_where_none_is_needed(path, header):
    answer = ask(path, Authorization=header)
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert answer.json()["code"] == "L007"


def test_a_revoked_key_and_the_keys_of_one_who_left_are_refused():
    user = factories.make_user()
    revoked, gone = factories.make_key(user), factories.make_key(user)
    accounts.revoke_token(user.tokens.latest("created_at"))
    statuses = sorted(ask("me", key=key).status_code for key in (revoked, gone))
    assert statuses == [200, 401]
    accounts.delete_account(user)
    assert [ask("me", key=key).status_code for key in (revoked, gone)] == [401, 401]


def test_a_session_counts_for_nothing(client):
    user = factories.make_user()
    client.force_login(user)
    assert client.get(f"{ROOT}me").status_code == 401
