"""What nobody reads is refused, with the names that are known."""

from uuid import UUID

import pytest

from league.api.app import api
from league.api.openapi import operations
from tests.league import factories
from tests.league.asking import ask

pytestmark = pytest.mark.django_db

READS = [
    (path, [one["name"] for one in operation["parameters"] if one["in"] == "query"])
    for path, method, operation in operations(api.get_openapi_schema())
    if method == "get"
]


@pytest.fixture
def key():
    return factories.make_key(factories.make_user("mira"))


@pytest.mark.parametrize(("path", "known"), READS, ids=[path for path, _ in READS])
def test_every_address_refuses_unknown_parameters_and_names_its_own(path, known, key):
    real = path.removeprefix("/api/v1/").replace("{upload}", str(UUID(int=1)))
    real = real.replace("{match_id}", "1").replace("{number}", "1")
    answer = ask(f"{real.replace('{', '').replace('}', '')}?colour=blue", key=key)
    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"
    detail = answer.json()["detail"]
    assert detail.startswith("`colour` is not a parameter of this address; known: ")
    assert detail.endswith(f"known: {', '.join(known) or 'none'}.")


def test_a_misspelt_parameter_is_answered_with_the_nearest_name():
    answer = ask("matches?gane=basari").json()
    assert answer["code"] == "L009"
    assert answer["detail"] == (
        "`gane` is not a parameter of this address (did you mean `game`?);"
        " known: game, bot, status, cursor, limit."
    )


@pytest.mark.parametrize("method", ["HEAD", "POST"])
def test_other_methods_refuse_unknown_parameters_too(method, key):
    assert ask("bots?colour=blue", method=method, key=key).status_code == 422


def test_known_parameters_and_the_document_itself_are_answered():
    assert ask("matches?game=basari&limit=1").status_code == 200
    assert ask("openapi.json").status_code == 200
    assert ask("bots").status_code == 200


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("bots", {"name": "Tin Cup", "abuot": "Tiny."}, "about"),
        ("matches", {"game": "basari", "bots": ["tin-cup"], "optoins": {}}, "options"),
        ("tournaments", {"nmae": "Friday Cup"}, "name"),
        ("tournaments/friday-cup/entries", {"bto": "tin-cup"}, "bot"),
        ("bots/tin-cup/versions", {"source": "x", "nota": "first"}, "note"),
    ],
)
def test_unknown_fields_of_a_body_are_refused_with_the_nearest_name(path, body, field, key):
    if path.startswith("bots/"):
        ask("bots", key=key, send={"name": "Tin Cup"}, method="POST")
    answer = ask(path, key=key, send=body, method="POST")
    assert answer.status_code == 422
    assert f"did you mean `{field}`?" in answer.json()["detail"]


def test_unknown_parts_of_a_form_are_refused(key):
    ask("bots", key=key, send={"name": "Tin Cup"}, method="POST")
    answer = ask("bots/tin-cup/versions", key=key, form={"source": "x", "nota": "first"})
    assert answer.status_code == 422
    assert "did you mean `note`?" in answer.json()["detail"]
