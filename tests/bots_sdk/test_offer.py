"""Offers as an author handles them."""

import pytest
from hypothesis import given, strategies as st

from bots_sdk.offers import COLOURS, Offer
from engine.barter.offers import Offers, parse_offer

gems = st.lists(st.integers(0, 22), min_size=4, max_size=4)


@pytest.mark.parametrize(
    ("offer", "standing", "higher"),
    [
        pytest.param("1.0.0.3", "0.4.0.0", True, id="same number, more red"),
        pytest.param("0.0.0.3", "2.0.0.0", True, id="more gems, colour does not matter"),
        pytest.param("0.1.0.1", "0.1.0.1", False, id="equal is not higher"),
        pytest.param("0.0.2.0", "0.1.0.1", False, id="fewer yellow"),
    ],
)
def test_an_offer_beats_another_by_number_then_by_value(offer, standing, higher):
    assert (Offer.parse(offer) > Offer.parse(standing)) is higher
    assert (Offer.parse(standing) < Offer.parse(offer)) is higher
    assert (Offer.parse(standing) >= Offer.parse(offer)) is not higher
    assert (Offer.parse(offer) <= Offer.parse(standing)) is not higher


@given(gems)
def test_an_offer_is_its_text_its_counts_and_its_colours(counts):
    offer = Offer.of(counts)
    assert str(offer) == "offer " + ".".join(map(str, counts))
    assert Offer.parse(str(offer)) == offer == Offer.parse(str(offer)[6:])
    assert offer.gems == list(offer) == counts
    assert [offer[letter] for letter in COLOURS] == [offer[at] for at in range(4)] == counts
    assert (offer.count, bool(offer)) == (sum(counts), any(counts))
    assert eval(repr(offer)) == offer
    assert offer.key == parse_offer(str(offer))


@given(gems, gems)
def test_what_is_taken_from_a_hand_can_be_put_back(one, other):
    hand, part = Offer.of(one), Offer.of([min(pair) for pair in zip(one, other, strict=True)])
    assert part.fits(hand)
    assert part.fits(one)
    assert (hand - part) + part == hand
    assert (hand - part).count == hand.count - part.count


@given(gems, st.integers(0, 30))
def test_the_cheapest_offer_of_a_size_is_the_lowest_that_the_hand_has(hand, count):
    found = Offer.cheapest(hand, count)
    if count > sum(hand):
        assert found is None
    elif count:
        options = Offers((), Offer.of(hand).key & 0xFFFFF)
        first = next(Offer.parse(text) for text in options if Offer.parse(text).count == count)
        assert found == first


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: Offer(-1), "from 0 to 31, not"),
        (lambda: Offer.parse("offer 1.0.0"), "four counts, such as '1.0.2.0'"),
        (lambda: Offer.parse("accept"), "'accept' is not an offer"),
        (lambda: Offer(1)["P"], "'P' is no colour"),
        (lambda: Offer(0, 1) - Offer(1), r"Offer\(1, 0, 0, 0\) has gems that .* lacks"),
    ],
)
def test_a_mistake_is_explained(wrong, said):
    with pytest.raises((ValueError, IndexError), match=said):
        wrong()


def test_an_offer_is_found_among_the_options_like_its_text():
    lazy, listed = Offers(("accept",), Offer(1, 0, 2).key & 0xFFFFF), ["decline", "offer 0.0.1.0"]
    assert Offer(0, 0, 1) in lazy
    assert Offer(0, 0, 3) not in lazy
    assert Offer(0, 0, 1) in listed
    assert {Offer(0, 0, 1): "by value"}["offer 0.0.1.0"] == "by value"
    assert Offer(0, 0, 1) != 1
