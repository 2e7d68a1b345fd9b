"""Reading records that are damaged, hostile or from the future."""

import copy
import json

import pytest

from engine.record.reading import MAX_BYTES, RecordError, read
from engine.registry import GAMES
from tests.engine.tables import recorded


@pytest.fixture
def record():
    return recorded(GAMES["edel-stein-reich"], 3, "a match")


def with_field(record, path, value):
    changed = copy.deepcopy(record)
    *way, last = path
    target = changed
    for part in way:
        target = target[part]
    target[last] = value
    return changed


@pytest.mark.parametrize(
    ("path", "value", "place", "problem"),
    [
        (("schema",), 2, "schema", "a newer Karat can read it"),
        (("schema",), 0, "schema", "must be 1"),
        (("schema",), True, "schema", "found true or false"),
        (("schema",), "1", "schema", "expected a whole number, found a text"),
        (("redacted",), "public", "redacted", "only the full record"),
        (("seed",), 7, "seed", "expected a text, found a whole number"),
        (("options",), [], "options", "expected an object, found a list"),
        (("limits",), "none", "limits", "expected an object"),
        (("seats", 1), None, "seats[1]", "found null"),
        (("seats", 1, "name"), 1.5, "seats[1].name", "found a number"),
        (("outcome", "scores", 0), "x", "outcome.scores[0]", "whole number"),
        (("outcome", "reason"), None, "outcome.reason", "expected a text"),
        (("faults",), {}, "faults", "expected a list"),
        (("faults",), [1], "faults[0]", "expected an object"),
        (
            ("faults",),
            [{"seat": 3, "code": "E1", "detail": "", "step": None}],
            "faults[0].seat",
            "no seat 3",
        ),
        (("faults",), [{"seat": 0, "detail": ""}], "faults[0].code", "missing"),
        (("faults",), [{"seat": 0, "code": "E1", "detail": ""}], "faults[0].step", "missing"),
        (
            ("faults",),
            [{"seat": 0, "code": "E1", "detail": "", "step": "x"}],
            "faults[0].step",
            "whole number",
        ),
        (("steps",), "all", "steps", "expected a list"),
        (("steps", 5), 5, "steps[5]", "expected an object"),
        (("steps", 5, "i"), 6, "steps[5].i", "expected 5"),
        (("steps", 5, "set"), None, "steps[5].set", "expected an object"),
        (("steps", 3, "moves"), ["money"], "steps[3].moves", "one for each of 3 seats"),
        (("steps", 3, "moves", 1), ["gems"], "steps[3].moves[1]", "expected a text"),
        (("steps", 3, "fault", 0), 302, "steps[3].fault[0]", "a text or null"),
        (("steps", 3, "forced"), True, "steps[3].forced", "expected a list"),
    ],
)
def test_a_wrong_type_is_refused_with_its_place(record, path, value, place, problem):
    with pytest.raises(RecordError) as refused:
        read(json.dumps(with_field(record, path, value)))
    assert refused.value.place == place
    assert problem in refused.value.problem


@pytest.mark.parametrize("name", ["schema", "game", "seats", "steps", "outcome", "digest"])
def test_a_missing_field_is_named(record, name):
    del record[name]
    with pytest.raises(RecordError, match=f"{name}: this field is missing"):
        read(json.dumps(record))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("", "damaged", id="empty"),
        pytest.param("{", "line 1, column 2", id="cut off"),
        pytest.param(b"\xff\xfe\x00{", "cannot be read|damaged", id="no text"),
        pytest.param("[" * 100_000, "nested too deeply", id="deep"),
        pytest.param('{"a":' * 100_000, "nested too deeply", id="deep objects"),
        pytest.param('{"schema": NaN}', "NaN is not JSON", id="NaN"),
        pytest.param('{"schema": ' + "9" * 5000 + "}", "cannot be read", id="a huge number"),
        pytest.param("null", "expected an object, found null", id="null"),
        pytest.param(" " * (MAX_BYTES + 1), "larger than 16 MiB", id="too large"),
        pytest.param(json.dumps([[0] * 1000] * 3500), "expected an object", id="10 MB of lists"),
    ],
)
def test_a_text_that_is_no_record_is_refused_in_a_sentence(text, problem):
    with pytest.raises(RecordError, match=problem):
        read(text)


def test_every_truncation_of_a_record_is_refused(record):
    text = json.dumps(record)
    for cut in range(0, len(text), 997):
        with pytest.raises(RecordError):
            read(text[:cut])
