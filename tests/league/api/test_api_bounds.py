"""Everything that can be sent has a bound, in the API as in the forms; old rows hurt no page."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from league.api.app import api
from league.api.openapi import operations
from league.errors import Refused
from league.tournaments.forms.tournament import TournamentForm
from league.tournaments.models import RecurringTournament, Tournament
from league.tournaments.planning import bounds
from league.tournaments.services import lifecycle, recurring
from tests.league.asking import ask
from tests.league.factories import make_key, make_user

DOCUMENT = api.get_openapi_schema()
SCHEMAS = DOCUMENT["components"]["schemas"]
CONFIG = {"format": "swiss", "seats": 4, "rounds": 2, "deals": 1}
BOUNDS = {
    "string": {"maxLength"},
    "integer": {"minimum", "maximum"},
    "number": {"minimum", "maximum"},
    "array": {"maxItems"},
}
LAST_MOMENT = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


def sent():
    """Every schema of something that a request carries, with its place."""
    for path, method, operation in operations(DOCUMENT):
        for one in operation["parameters"]:
            yield f"{method} {path} {one['name']}", one["schema"]
        for media in operation.get("requestBody", {}).get("content", {}).values():
            yield f"{method} {path}", media["schema"]


def unbounded(place, schema):
    """The places below this one where a request can be as large as it likes."""
    if "$ref" in schema:
        yield from unbounded(place, SCHEMAS[schema["$ref"].rsplit("/", 1)[1]])
    if "enum" in schema or "const" in schema:
        return
    parts = [part for name in ("anyOf", "oneOf", "allOf") for part in schema.get(name, [])]
    for part in parts:
        yield from unbounded(place, part)
    kind = schema.get("type")
    if not BOUNDS.get(kind, set()) <= schema.keys():
        yield place
    if kind == "array":
        yield from unbounded(f"{place}[]", schema["items"])
    elif kind == "object":
        yield from unbounded_object(place, schema)
    elif kind is None and not parts and "$ref" not in schema:
        yield place


def unbounded_object(place, schema):
    for name, part in schema.get("properties", {}).items():
        yield from unbounded(f"{place}.{name}", part)
    others = [*schema.get("patternProperties", {}).values(), schema.get("additionalProperties")]
    free = [part for part in others if part]
    if (free or "properties" not in schema) and "maxProperties" not in schema:
        yield place
    for part in free:
        yield from [place] if part is True else unbounded(f"{place}.*", part)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": "integer", "maximum": 3},
        {"type": "array", "items": {"type": "boolean"}},
        {"type": "array", "maxItems": 2, "items": {"type": "string"}},
        {"anyOf": [{"type": "null"}, {"type": "number"}]},
        {"type": "object", "additionalProperties": True, "maxProperties": 3},
        {"type": "object", "patternProperties": {"^a$": {"type": "string", "maxLength": 1}}},
        {"type": "object", "properties": {"a": {"type": "string"}}},
        {},
    ],
    ids=str,
)
def test_what_has_no_bound_is_found(schema):
    assert list(unbounded("here", schema))


def test_every_value_of_every_request_has_a_bound():
    schemas = list(sent())
    assert len(schemas) > 20
    assert [place for name, schema in schemas for place in unbounded(name, schema)] == []


def order(**values):
    starts_at = timezone.now() + timedelta(days=2)
    return {
        "name": "Big Cup",
        "game": "basari",
        "config": CONFIG,
        "starts_at": starts_at.isoformat(),
        "publish": True,
        **values,
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    "values",
    [
        pytest.param({"config": {**CONFIG, "seed": "x" * 900_000}}, id="a seed of 900 KB"),
        pytest.param({"config": {**CONFIG, "seed": "\x00"}}, id="a seed with a zero"),
        pytest.param({"config": {**CONFIG, "points": [10**400, 1, 1, 0]}}, id="points"),
        pytest.param({"config": {**CONFIG, "points": [1001, 1, 1, 0]}}, id="a few points more"),
        pytest.param({"config": {**CONFIG, "deals": 10**400}}, id="deals"),
        pytest.param({"config": {str(n): n for n in range(1000)}}, id="choices"),
        pytest.param({"starts_at": "9999-12-31T23:59:59Z"}, id="the last moment"),
        pytest.param({"starts_at": "2999-12-31T23:59:59Z"}, id="too far ahead"),
        pytest.param({"starts_at": "0001-01-01T00:00:00+12:00"}, id="before all years"),
        pytest.param({"locks_at": "0001-01-01T00:00:00Z"}, id="the first moment"),
        pytest.param({"name": "x" * 100_000}, id="a name"),
    ],
)
def test_a_tournament_out_of_proportion_is_refused_and_not_stored(values):
    key = make_key(make_user())
    answer = ask("tournaments", method="POST", key=key, send=order(**values))
    assert answer.status_code == 422, answer.content
    assert len(answer.content) < 2000
    assert not Tournament.objects.exists()


@pytest.mark.django_db
def test_a_tournament_in_proportion_is_taken():
    config = {**CONFIG, "seed": "x" * bounds.MAX_SEED, "points": [bounds.MAX_POINTS, 2, 1, 0]}
    answer = ask("tournaments", method="POST", key=make_key(make_user()), send=order(config=config))
    assert answer.status_code == 201, answer.content


@pytest.mark.django_db
def test_services_refuse_what_the_api_refuses():
    user, soon = make_user(), timezone.now() + timedelta(days=1)
    for config, at in (
        ({**CONFIG, "points": [10**400, 1, 1, 0]}, soon),
        ({**CONFIG, "seed": "x" * 900_000}, soon),
        (CONFIG, LAST_MOMENT),
    ):
        with pytest.raises(Refused) as no:
            lifecycle.create(user, "Big Cup", "basari", config, starts_at=at, locks_at=at)
        assert (no.value.code, no.value.status) == ("L011", 422)
        assert len(str(no.value)) < 400
    with pytest.raises(Refused):
        recurring.create_recurring(
            user, "Big", "basari", CONFIG, cron="0 0 * * *", looked_at=LAST_MOMENT
        )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("points", "9999, 3, 2, 1"),
        ("starts_at", "9999-12-31T23:59"),
        ("locks_at", "0001-01-01T00:01"),
    ],
)
def test_the_form_refuses_what_the_api_refuses(field, value):
    starts_at = timezone.now() + timedelta(days=2)
    values = {
        "name": "Big Cup",
        "game": "basari",
        **CONFIG,
        "max_entries": 8,
        "per_user": 2,
        "starts_at": f"{starts_at:%Y-%m-%dT%H:%M}",
        "zone": "Pacific/Auckland",
        "versions": "frozen",
        "repeat": "once",
    }
    assert TournamentForm(values).is_valid(), TournamentForm(values).errors
    assert list(TournamentForm(values | {field: value}).errors) == [field]


@pytest.mark.django_db
@pytest.mark.parametrize("state", ["open", "draft", "locked", "cancelled"])
@pytest.mark.parametrize(
    "moment", [LAST_MOMENT, datetime(1, 1, 1, tzinfo=UTC)], ids=["last", "first"]
)
def test_rows_of_before_the_bounds_break_no_page(client, state, moment):
    user, soon = make_user(), timezone.now() + timedelta(days=1)
    client.force_login(user)
    row = lifecycle.create(user, "Far", "basari", CONFIG, starts_at=soon, locks_at=soon)
    Tournament.objects.update(starts_at=moment, locks_at=moment, state=state)
    cup = recurring.create_recurring(user, "Far", "basari", CONFIG, cron="59 23 31 12 *")
    RecurringTournament.objects.update(looked_at=moment)
    one = f"/tournaments/{row.slug}"
    for address in (
        *("/", "/me/", "/tournaments/", "/organise/", "/tournaments.ics", "/tournaments/feed.atom"),
        *(f"{one}/", f"{one}.ics", f"{one}/edit/", f"{one}/manage/", f"{one}/schedule/"),
        *(f"/tournaments/recurring/{cup.slug}/", "/api/v1/tournaments"),
    ):
        assert client.get(address).status_code in (200, 302, 404), address
    cup.refresh_from_db()
    recurring.open_due_tournaments(cup, timezone.now())
    lifecycle.move_on(Tournament.objects.get(pk=row.pk), timezone.now())
