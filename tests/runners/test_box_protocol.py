"""Reading what comes out of a box."""

import json

import pytest
from hypothesis import given, strategies as st

from engine.barter.gems import pack
from engine.barter.offers import Offers, offer_key
from runners.protocol import (
    MAX_NOTE_LENGTH,
    BotReply,
    Inbox,
    MalformedReply,
    frame,
    options_as_json,
    parse,
    read_answer,
    read_loaded,
)


def framed(body):
    return len(body).to_bytes(4, "big") + body


@given(st.dictionaries(st.text(), st.text() | st.integers(-(10**9), 10**9)), st.data())
def test_a_message_arrives_whole_however_it_is_cut(value, data):
    sent = frame(value)
    inbox = Inbox(1 << 16)
    cut = data.draw(st.integers(1, len(sent)))
    parts = [part for part in (sent[:cut], sent[cut:]) if part]
    reply = [inbox.add(part) for part in parts]
    assert reply[-1] == value
    assert all(message is None for message in reply[:-1])


def test_a_message_is_measured_before_it_is_read():
    with pytest.raises(MalformedReply, match="more than 1 KiB"):
        Inbox(1024).add((1025).to_bytes(4, "big"))


def test_anything_after_the_answer_is_refused():
    with pytest.raises(MalformedReply, match="more than one answer"):
        Inbox(1024).add(framed(b"{}") + b"x")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"[]",
        b'"text"',
        b"null",
        b'{"i":NaN}',
        b'{"i":Infinity}',
        b'{"i":1,"i":2}',
        b'{"i":"\xff"}',
        b'{"i":' + b"9" * 5000 + b"}",
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b"{} {}",
        b'{"i":1}\x00',
    ],
)
def test_what_is_not_one_clean_object_is_refused(body):
    with pytest.raises(MalformedReply):
        parse(body)


@given(st.binary(max_size=200))
def test_no_bytes_do_more_than_be_refused(body):
    try:
        value = parse(body)
        read_answer(value, 1)
    except MalformedReply:
        pass


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"i": 3, "move": "gems"}, BotReply(move="gems")),
        ({"i": 3, "move": "gems", "note": "why"}, BotReply(move="gems", note="why")),
        ({"i": 3, "error": "memory"}, BotReply(error="memory")),
        ({"i": 3, "error": "raised", "type": "E"}, BotReply(error="raised", type_name="E")),
        ({"i": 3, "error": "raised", "type": "a b"}, BotReply(error="raised")),
        ({"i": 3, "error": "returned", "type": "int"}, BotReply(error="returned", type_name="int")),
        ({"i": 3, "move": "half \ud800"}, BotReply(move="half ?")),
    ],
)
def test_an_answer_is_read(value, said):
    assert read_answer(value, 3) == said


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"move": "gems"},
        {"i": 2, "move": "gems"},
        {"i": 4, "move": "gems"},
        {"i": 3.0, "move": "gems"},
        {"i": "3", "move": "gems"},
        {"i": 3},
        {"i": 3, "move": None},
        {"i": 3, "move": 7},
        {"i": 3, "move": ["gems"]},
        {"i": 3, "move": "gems", "more": 1},
        {"i": 3, "move": "gems", "note": 1},
        {"i": 3, "move": "gems", "note": "x" * (MAX_NOTE_LENGTH + 1)},
        {"i": 3, "move": "gems", "error": "raised"},
        {"i": 3, "error": "harmless"},
        {"i": 3, "error": "raised", "type": 5},
        {"i": 3, "error": "raised", "traceback": []},
    ],
)
def test_an_answer_that_is_not_exactly_one_is_refused(value):
    with pytest.raises(MalformedReply):
        read_answer(value, 3)


def test_what_could_not_be_stored_comes_as_a_sign_that_can():
    said = read_answer({"i": 3, "move": "gems\0", "note": "a\ud800\0b"}, 3)
    assert (said.move, said.note) == ("gems␀", "a?␀b")


def test_true_is_not_the_number_one():
    with pytest.raises(MalformedReply):
        read_answer({"i": True, "move": "gems"}, 1)
    with pytest.raises(MalformedReply):
        read_loaded({"loaded": 1})


def test_loading_is_answered_by_success_or_an_error():
    assert read_loaded({"loaded": True}) == BotReply()
    assert read_loaded({"error": "raised", "type": "KeyError"}).type_name == "KeyError"
    with pytest.raises(MalformedReply):
        read_loaded({"loaded": True, "error": "raised"})


def test_a_traceback_is_cut():
    said = read_answer({"i": 1, "error": "raised", "traceback": "x" * 20_000}, 1)
    assert len(said.traceback) == 8192


def test_offers_cross_as_what_they_are_made_of():
    offers = Offers(("accept",), pack([3, 0, 2, 1]), offer_key(pack([0, 0, 1, 0])))
    assert options_as_json(offers) == {
        "first": ["accept"],
        "own": [3, 0, 2, 1],
        "above": [0, 0, 1, 0],
    }
    assert options_as_json(Offers(("none",), pack([1, 0, 0, 0])))["above"] is None
    assert options_as_json(("a", "b")) == ["a", "b"]
    assert json.loads(frame({"o": options_as_json(offers)})[4:])["o"]["own"] == [3, 0, 2, 1]
