"""The OpenAPI document and the page made from it: complete, true, and without script."""

import re

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import Client
from hypothesis import HealthCheck, settings as effort
from jsonschema_rs import meta
from schemathesis.checks import negative_data_rejection, positive_data_acceptance

from league.api.app import api
from league.api.openapi import operations
from league.bots.bundles import stepwise
from league.tournaments.services import lifecycle as tournaments
from tests.league import factories
from tests.league.asking import ROOT

DOCUMENT = api.get_openapi_schema()
OPERATIONS = {op["operationId"]: (path, op) for path, _, op in operations(DOCUMENT)}
REAL = {
    "slug": "shark",
    "game": "basari",
    "tournament": "friday-cup",
    "bot": "shark",
}

schema = schemathesis.openapi.from_wsgi(f"{ROOT}openapi.json", get_wsgi_application())
# A body that is too large is refused, too.
rejection = schema.config.checks.negative_data_rejection
rejection.expected_statuses = [*rejection.expected_statuses, "413"]


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_is_explained_with_an_example_and_all_its_errors(name):
    path, operation = OPERATIONS[name]
    assert operation["summary"]
    assert operation["description"]
    responses = operation["responses"]
    assert {"401", "429", "500"} <= set(responses)
    if "{" in path:
        assert "404" in responses
    if "requestBody" in operation:
        assert {"400", "413", "422"} <= set(responses)
        assert all(media["example"] for media in operation["requestBody"]["content"].values())
    for status, response in responses.items():
        if int(status) >= 400:
            assert list(response["content"]) == ["application/problem+json"]
        elif status not in {"204", "304"}:
            assert all("example" in media for media in response["content"].values())


@pytest.mark.django_db
def test_the_reference_shows_every_operation_and_loads_nothing_from_elsewhere():
    page = Client().get(f"{ROOT}docs")
    text = page.content.decode()
    assert page.status_code == 200
    for path, operation in OPERATIONS.values():
        assert f'id="{operation["operationId"]}"' in text
        assert path in text
    loaded = re.findall(r'<(?:script|link|img)\b[^>]*?(?:src|href)="([^"]*)"', text)
    assert all(address.startswith("/static/") for address in loaded)
    assert not re.search(r"<script>|<style|style=| on\w+=", text)


@pytest.fixture
def league(transactional_requests, settings):
    """A bot with a match, and nobody is turned away for asking often."""
    settings.API_REQUESTS_OF_KEY = settings.API_REQUESTS_OF_GUEST = 1_000_000
    settings.UPLOADS_PER_DAY = settings.CHALLENGES_PER_DAY = 1_000_000
    owner = factories.make_user("mira")
    table = [factories.make_player(owner, "Shark"), *(factories.make_player() for _ in range(2))]
    match = factories.make_match(table)
    factories.rate_all()
    tournaments.publish(factories.make_tournament(owner), owner)
    bundle = factories.make_version(table[0], factories.make_bundle())
    announced = factories.make_bundle(note="next").listing.files
    real = {
        "match_id": match.pk,
        "number": bundle.number,
        "path": "model.py",
        "upload": str(stepwise.begin(table[0], announced).pk),
        "digest": announced[0].digest,
    }
    return {"key": factories.make_key(owner), "real": REAL | real}


@pytest.fixture
def transactional_requests(db):
    """Requests end with the connection open, because the test's transaction is on it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


# The client leaves the file to which it wrote a large body for the collector to close.
@pytest.mark.filterwarnings("ignore:Exception ignored in. <_io.FileIO")
@schema.parametrize()
@effort(max_examples=5, suppress_health_check=list(HealthCheck))
def test_whatever_is_sent_is_answered_as_the_document_says(case, league):
    headers = {"Authorization": f"Bearer {league['key']}", "Accept-Encoding": "identity"}
    # What a cursor or a name may be is more than a schema can say.
    unsaid = [positive_data_acceptance]
    case.call_and_validate(headers=headers, excluded_checks=unsaid)
    if case.path_parameters:
        # Strangers' addresses end at 404; the same again with things that are there.
        real = league["real"]
        case.path_parameters = {name: real[name] for name in case.path_parameters}
        unsaid.append(negative_data_rejection)
        case.call_and_validate(headers=headers, excluded_checks=unsaid)


def test_the_document_follows_the_rules_of_openapi():
    schema.validate()
    for path, method, operation in operations(DOCUMENT):
        assert operation["tags"], (method, path)
        for parameter in operation["parameters"]:
            assert isinstance(parameter.get("examples", {}), dict), (method, path, parameter)
    for one in DOCUMENT["components"]["schemas"].values():
        meta.validate(one)
