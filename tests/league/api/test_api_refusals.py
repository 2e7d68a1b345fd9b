"""What the API says to requests it cannot take: a clear problem, and nothing half-stored."""

import logging

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from league.accounts import services as accounts
from league.accounts.models import Token
from league.bots.models import Bot, BotVersion, Source
from league.ladder import services as ladder
from league.ladder.models import Entry
from league.matches import api as matches_api
from league.matches.models import Match
from league.web import throttling
from tests.league import factories
from tests.league.asking import ROOT, ask

pytestmark = pytest.mark.django_db

TABLE = {"game": "basari", "bots": ["shark", "shark", "shark"]}


@pytest.fixture
def key():
    """The key of somebody with a bot that plays."""
    ladder.ensure()
    owner = factories.make_user("mira")
    shark = factories.make_player(owner, "Shark")
    factories.make_version(shark, "rejected = True", status=BotVersion.Status.REJECTED)
    return factories.make_key(owner)


def stored():
    return [kind.objects.count() for kind in (Bot, BotVersion, Source, Match, Entry)]


@pytest.mark.parametrize(
    ("method", "path", "send", "status", "code", "said"),
    [
        pytest.param("POST", "bots", {}, 422, "L009", "body.bot.name", id="no name"),
        pytest.param("POST", "bots", {"name": 3}, 422, "L009", "body.bot.name", id="wrong type"),
        pytest.param("POST", "bots", [], 422, "L009", "body.bot", id="not an object"),
        pytest.param("POST", "bots", {"name": "---"}, 422, "L002", "---", id="not a name"),
        pytest.param("POST", "bots", {"name": "new"}, 422, "L002", "new", id="a reserved name"),
        pytest.param("POST", "bots", {"name": "SHARK"}, 409, "L002", "already", id="a taken name"),
        pytest.param(
            "POST", "bots", {"name": "Ok Ok", "about": "\0"}, 422, "L009", "about", id="a zero"
        ),
        pytest.param("POST", "bots", b'{"name": ', 400, "L009", "body", id="broken JSON"),
        pytest.param("POST", "bots", b"[" * 100_000, 400, "L009", "body", id="deep JSON"),
        pytest.param("POST", "bots", b" " * (2 << 20), 413, "L009", "1024 KB", id="a huge body"),
        pytest.param("POST", "bots/no/versions", {"source": ""}, 404, "L010", "", id="no such bot"),
        pytest.param("POST", "bots/shark/versions", {}, 422, "L009", "body.source", id="no source"),
        pytest.param(
            "POST", "bots/shark/versions", b"{", 422, "L009", "body", id="an upload of broken JSON"
        ),
        pytest.param(
            *("POST", "bots/shark/versions", {"source": "x" * (256 << 10) + "x"}),
            *(422, "E106", "257 KB"),
            id="a large source",
        ),
        pytest.param(
            "POST", "bots/shark/versions", {"source": "a\0b"}, 422, "E106", "zero byte", id="a NUL"
        ),
        pytest.param(
            *("POST", "bots/shark/versions", {"source": "x", "note": "two\nlines"}),
            *(422, "L009", "body.note"),
            id="a note of two lines",
        ),
        pytest.param(
            "POST", "bots/shark/versions/2/activate", None, 409, "L003", "2", id="a rejected one"
        ),
        pytest.param(
            "POST", "bots/shark/versions/9/activate", None, 404, "L010", "9", id="no such version"
        ),
        pytest.param("GET", f"bots/shark/versions/{10**30}", None, 404, "L010", "", id="too far"),
        pytest.param("GET", f"matches/{10**30}", None, 404, "L010", "", id="a huge number"),
        pytest.param("GET", "matches/0/record", None, 404, "L010", "", id="no such record"),
        pytest.param("GET", "matches?limit=1000", None, 422, "L009", "limit", id="a large page"),
        pytest.param("GET", "matches?cursor=x", None, 422, "L009", "cursor", id="a wrong cursor"),
        pytest.param("GET", "matches?status=lost", None, 422, "L009", "status", id="no status"),
        pytest.param("GET", "leaderboards/chess", None, 404, "L010", "chess", id="no such game"),
        pytest.param("GET", "bots/%00", None, 404, "L010", "", id="a zero in the address"),
        pytest.param(
            "DELETE", "leaderboards/basari/entries/shark", None, 409, "L006", "not on", id="not in"
        ),
        pytest.param(
            "POST", "leaderboards/chess/entries/shark", None, 404, "L010", "", id="no such ladder"
        ),
        pytest.param(
            "POST", "matches", TABLE | {"game": "chess"}, 422, "L004", "chess", id="no game"
        ),
        pytest.param("POST", "matches", TABLE | {"bots": ["no"]}, 422, "L004", "no", id="no bot"),
        pytest.param(
            "POST", "matches", TABLE | {"bots": ["shark"]}, 422, "L004", "3, 4 or 5", id="one seat"
        ),
        pytest.param("POST", "matches", TABLE | {"bots": []}, 422, "L009", "bots", id="no seats"),
        pytest.param("PUT", "bots", {}, 405, "L009", "PUT", id="a method that is not there"),
        pytest.param("PATCH", "no/where", None, 404, "L010", "no/where", id="nowhere"),
    ],
)
def test_what_cannot_be_done_is_explained_and_stores_nothing(
    key, method, path, send, status, code, said
):
    before = stored()
    answer = ask(path, method=method, send=send, key=key)
    told = answer.json()
    assert (answer.status_code, told["code"]) == (status, code), told
    assert answer["Content-Type"] == "application/problem+json"
    assert told["status"] == status
    assert told["type"].endswith(f"/docs/errors/{code}/")
    assert said in told["detail"]
    assert told["title"]
    assert told["fix"]
    assert stored() == before


@pytest.mark.parametrize(
    ("form", "code"),
    [
        pytest.param({}, "L009", id="no file"),
        pytest.param({"note": "hi"}, "L009", id="only a note"),
        pytest.param({"source": SimpleUploadedFile("a.zip", b"PK\3\4")}, "E109", id="an archive"),
        pytest.param({"source": SimpleUploadedFile("a.py", b"\xff")}, "E106", id="not UTF-8"),
    ],
)
def test_a_form_that_cannot_be_used_is_explained_and_stores_nothing(key, form, code):
    before = stored()
    answer = ask("bots/shark/versions", form=form, key=key)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert stored() == before


def test_a_broken_form_is_a_problem_of_the_sender(key):
    answer = ask(
        "bots/shark/versions",
        method="POST",
        key=key,
        **{"Content-Type": "multipart/form-data; boundary="},
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "L009")


def test_a_body_of_unknown_length_is_refused(key):
    answer = ask("bots", method="POST", key=key, **{"Transfer-Encoding": "chunked"})
    assert (answer.status_code, answer.json()["code"]) == (411, "L009")


@pytest.mark.parametrize(
    ("setting", "path", "send", "code"),
    [
        ("UPLOADS_PER_DAY", "bots/shark/versions", {"source": "new = 1"}, "L001"),
        ("CHALLENGES_PER_DAY", "matches", TABLE, "L005"),
    ],
)
def test_a_used_up_quota_says_when_it_is_fresh_again(key, settings, setting, path, send, code):
    setattr(settings, setting, 0)
    answer = ask(path, method="POST", send=send, key=key)
    assert (answer.status_code, answer.json()["code"]) == (429, code)
    assert 0 < int(answer["Retry-After"]) <= 86_401


def test_who_asks_too_often_waits_for_the_next_minute_and_others_do_not(key, settings, monkeypatch):
    settings.API_REQUESTS_OF_GUEST, settings.API_REQUESTS_OF_KEY = 2, 3
    now = 600.0
    monkeypatch.setattr(throttling, "time", lambda: now)
    *allowed, refused = [ask("games") for _ in range(3)]
    assert [answer.status_code for answer in allowed] == [200, 200]
    assert (refused.status_code, refused.json()["code"]) == (429, "L008")
    assert refused["Retry-After"] == "60"
    assert Client().get(f"{ROOT}games", REMOTE_ADDR="198.51.100.7").status_code == 200
    assert [ask("me", key=key).status_code for _ in range(4)] == [200, 200, 200, 429]
    # Another key is not another person.
    owner = Token.objects.get(digest=accounts.digest(key)).user
    assert ask("me", key=factories.make_key(owner)).status_code == 429
    now = 660.0
    assert ask("games").status_code == 200


def test_guessing_keys_is_as_slow_as_asking_as_a_guest(settings):
    settings.API_REQUESTS_OF_GUEST = 1
    statuses = {ask("me", key=f"karat_{number}").status_code for number in range(4)}
    assert statuses == {401, 429}


def test_our_failure_has_an_id_that_the_log_has_too(key, caplog, monkeypatch):
    monkeypatch.setattr(matches_api, "show_whole_match", None)
    with caplog.at_level(logging.ERROR):
        answer = ask("matches", method="POST", send=TABLE, key=key)
    told = answer.json()
    assert (answer.status_code, told["code"]) == (500, "S002")
    assert told["id"] in caplog.text
    assert "TypeError" in caplog.text
    assert "TypeError" not in answer.content.decode()
