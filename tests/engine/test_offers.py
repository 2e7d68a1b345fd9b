"""Offers: their text, their order, and the lazy sequence of all that are legal."""

from itertools import product

import pytest
from hypothesis import given, strategies as st

from engine.barter.gems import pack
from engine.barter.offers import (
    NO_OFFER,
    Offers,
    _hands as remembered_hands,
    _sizes as remembered_sizes,
    offer_key,
    offer_text,
    parse_offer,
)

counts = st.tuples(*[st.integers(0, 6)] * 4)


def key(text):
    return parse_offer(f"offer {text}")


@pytest.mark.parametrize(
    ("offer", "standing", "higher"),
    [
        pytest.param("1.0.0.3", "0.4.0.0", True, id="same number, more red"),
        pytest.param("0.0.0.3", "2.0.0.0", True, id="more gems, colour does not matter"),
        pytest.param("1.1.0.0", "1.0.1.0", True, id="same number and red, more yellow"),
        pytest.param("0.1.0.1", "0.0.2.0", True, id="one yellow is worth more than two green"),
        pytest.param("0.1.0.1", "0.1.0.1", False, id="equal is not higher"),
        pytest.param("1.0.0.0", "0.0.0.2", False, id="fewer gems are never higher"),
    ],
)
def test_an_offer_beats_another_by_number_then_by_value(offer, standing, higher):
    assert (key(offer) > key(standing)) is higher


@given(one=counts, other=counts)
def test_the_key_orders_like_number_and_then_the_vector(one, other):
    keys = offer_key(pack(one)), offer_key(pack(other))
    assert (keys[0] > keys[1]) is ((sum(one), one) > (sum(other), other))


@given(vector=st.tuples(*[st.integers(0, 22)] * 4))
def test_text_and_key_say_the_same(vector):
    text = "offer " + ".".join(map(str, vector))
    assert offer_text(offer_key(pack(vector))) == text
    assert parse_offer(text) == offer_key(pack(vector))


@pytest.mark.parametrize(
    "text",
    [
        *("", "offer", "offer 1.2.3", "offer 1.2.3.4.5", "offer 1.2.3.x", "offer 1.2.3."),
        *("1.2.3.4", "offer 01.0.0.0", "offer -1.0.0.0", "offer 1.0.0.32", "offer 1.0.0.٣"),
        *("offer  1.0.0.0", "offer 1.0.0.0\n", "Offer 1.0.0.0"),
    ],
)
def test_a_text_that_is_not_exactly_an_offer_is_none(text):
    assert parse_offer(text) == NO_OFFER
    assert text not in Offers(("accept",), pack([9, 9, 9, 9]))


@given(own=counts, standing=counts)
def test_the_lazy_sequence_equals_the_sorted_list(own, standing):
    above = offer_key(pack(standing))
    all_keys = sorted(offer_key(pack(part)) for part in product(*(range(n + 1) for n in own)))
    expected = ["accept", *(offer_text(k) for k in all_keys if k > above)]
    offers = Offers(("accept",), pack(own), above)
    assert list(offers) == expected
    assert len(offers) == len(expected)
    assert [move for move in map(offer_text, all_keys) if move in offers] == expected[1:]
    assert offers[-1] == expected[-1]
    assert offers[1:4] == expected[1:4]
    assert offers[::-7] == expected[::-7]


@given(standing=counts, data=st.data())
def test_the_largest_hand_there_can_be_is_counted_and_reached_without_listing(standing, data):
    above = offer_key(pack(standing))
    offers = Offers(("accept",), pack([22, 22, 22, 22]), above)
    index = data.draw(st.integers(1, len(offers) - 1))
    assert len(offers) <= 23**4
    assert offers[index] in offers
    assert parse_offer(offers[index]) > above
    if index + 1 < len(offers):
        assert parse_offer(offers[index]) < parse_offer(offers[index + 1])


@pytest.mark.parametrize("counts", [range(14), range(15, 23)], ids=["many hands", "large hands"])
def test_what_is_remembered_of_hands_is_bounded(counts):
    for hand in product(counts, repeat=4):
        Offers((), pack(hand))
        assert len(remembered_hands) <= 1 << 15
        assert remembered_sizes.parts <= (1 << 24) + 2 * 23**4


def test_the_offer_given_out_last_is_known_by_itself_and_not_by_its_looks():
    offers = Offers((), pack([2, 2, 2, 2]), key("0.0.0.1"))
    last = offers[5]
    same_looks = "".join(last)
    assert offers.last is last
    assert offers.last_key == parse_offer(last)
    assert last in offers
    assert same_looks in offers


@pytest.mark.parametrize("nothing", [None, "", ()])
def test_nothing_is_no_move_while_no_offer_has_been_read(nothing):
    offers = Offers(("accept",), pack([1, 1, 1, 1]))
    assert nothing not in offers
    assert offers.last is not nothing


def test_an_index_beyond_the_end_says_how_many_there_are():
    offers = Offers(("decline",), pack([0, 0, 1, 1]))
    assert list(offers) == ["decline", "offer 0.0.0.1", "offer 0.0.1.0", "offer 0.0.1.1"]
    for index in (4, -5):
        with pytest.raises(IndexError, match="there are 4 options, numbered from 0"):
            offers[index]


@pytest.mark.parametrize("thing", [None, 3, ["accept"], b"accept", ("accept",)])
def test_only_texts_are_moves(thing):
    assert thing not in Offers(("accept",), pack([1, 1, 1, 1]))


def test_a_long_sequence_shows_its_beginning():
    assert repr(Offers(("accept",), pack([0, 0, 0, 1]))) == (
        "<2 options: 'accept', 'offer 0.0.0.1'>"
    )
    assert repr(Offers(("accept",), pack([1, 0, 0, 3]))) == (
        "<8 options: 'accept', 'offer 0.0.0.1', 'offer 1.0.0.0', …>"
    )
