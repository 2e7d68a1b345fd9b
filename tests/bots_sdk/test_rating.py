"""Ratings: what must hold for every match, however it is handed in."""

from importlib import import_module

import pytest
from hypothesis import example, given, strategies as st

from bots_sdk.rating.skill import (
    BETA,
    DRAW_PROBABILITY,
    TAU,
    Rating,
    chance_to_beat,
    chances_to_win,
    expected_places,
    quality,
    rate,
)

trueskill = import_module("trueskill")
"""By name: `bots_sdk.rating.skill` has imported it and silenced what it warns about."""

rating = st.builds(Rating, st.floats(0, 50), st.floats(0.5, 9))
wild = st.builds(Rating, st.floats(-1e4, 1e4), st.floats(1e-3, 1e3))
places = st.integers(1, 5)
ROUNDING = 1e-9


def tables(of=rating, most=4):
    return st.lists(st.tuples(of, places), min_size=2, max_size=most)


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_the_seats_changes_no_digit(table, shuffler):
    shuffled = list(enumerate(table))
    shuffler.shuffle(shuffled)
    rated = rate(*zip(*table, strict=True))
    again = rate(*zip(*(seat for _, seat in shuffled), strict=True))
    assert [rated[number] for number, _ in shuffled] == again


@given(tables(most=3))
@example([(Rating(25, 8), 2), (Rating(25, 8), 2), (Rating(30, 3), 1)])
@example([(Rating(), 1)] * 4)
def test_equals_that_tie_come_out_equal(table):
    first, place = table[0]
    rated = rate(*zip(*table, (first, place), strict=True))
    assert rated[0] == rated[-1]


@given(rating, rating)
def test_the_winner_never_falls_and_the_loser_never_rises(one, other):
    won, lost = rate([one, other], [1, 2])
    assert won.mu >= one.mu - ROUNDING
    assert lost.mu <= other.mu + ROUNDING
    if abs(one.mu - other.mu) < 20:
        assert won.mu > one.mu
        assert lost.mu < other.mu
    assert won.sigma**2 <= one.sigma**2 + TAU**2 + 1e-9
    assert lost.sigma**2 <= other.sigma**2 + TAU**2 + 1e-9


@given(tables())
def test_only_the_order_of_the_places_matters(table):
    ratings, placements = zip(*table, strict=True)
    assert rate(ratings, placements) == rate(ratings, [10 * place for place in placements])


@given(tables(wild))
def test_whatever_is_rated_stays_a_rating(table):
    for one in rate(*zip(*table, strict=True)):
        assert -1e6 < one.mu < 1e6
        assert 0 < one.sigma < 1e6


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_without_ties_the_digits_are_those_of_the_library(seats):
    ratings = [Rating(20 + 3 * seat, 8 - seat) for seat in range(seats)]
    theirs = trueskill.TrueSkill(draw_probability=DRAW_PROBABILITY).rate(
        [(trueskill.Rating(one.mu, one.sigma),) for one in ratings]
    )
    for ours, (library,) in zip(rate(ratings, range(seats)), theirs, strict=True):
        assert (ours.mu, ours.sigma) == pytest.approx((library.mu, library.sigma), rel=1e-6)


@pytest.mark.parametrize("placements", [[1], [1, 2, 3]])
def test_every_seat_has_a_rating_and_a_place(placements):
    with pytest.raises(ValueError, match="each with a rating and a place"):
        rate([Rating()] * 2 if len(placements) > 1 else [Rating()], placements)


@given(st.lists(rating, min_size=2, max_size=5))
def test_chances_and_expected_places_add_up(ratings):
    assert sum(chances_to_win(ratings)) == pytest.approx(1, abs=1e-6)
    count = len(ratings)
    assert sum(expected_places(ratings)) == pytest.approx(count * (count + 1) / 2)


@given(rating, rating)
def test_of_two_the_chance_to_win_is_the_chance_to_beat_the_other(one, other):
    won, _ = chances_to_win([one, other])
    assert won == pytest.approx(chance_to_beat(one, other), abs=1e-6)


@given(rating, rating)
def test_quality_is_that_of_the_library_in_any_order(one, other):
    library = trueskill.quality([(trueskill.Rating(r.mu, r.sigma),) for r in (one, other)])
    assert quality(one, other) == quality(other, one) == pytest.approx(library)


def test_equals_who_are_known_well_make_the_best_match():
    assert quality(Rating(25, 1e-9), Rating(25, 1e-9)) == pytest.approx(1)
    assert quality(Rating(25, 1), Rating(25 + 10 * BETA, 1)) < 0.01


def test_people_see_round_numbers():
    assert str(Rating()) == "1500 ± 667"
    assert Rating(30, 2).cautious == 24
