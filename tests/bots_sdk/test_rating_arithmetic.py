"""Versions of the rating arithmetic: the current one is TrueSkill, the former keeps its digits."""

from itertools import groupby, permutations, product
from math import isfinite, sqrt
from random import Random

import pytest
from hypothesis import given, strategies as st

from bots_sdk.rating.arithmetic import truncation, v1, v2
from bots_sdk.rating.belief import TAU, Rating
from tests.bots_sdk.library_ratings import library_rate, random_match

SAMPLE = 1_000
WITHIN = 1e-6

rating = st.builds(Rating, st.floats(0, 50), st.floats(0.5, 9))
wild = st.builds(Rating, st.floats(-9e4, 9e4), st.floats(1e-3, 9e3))


def tables(of):
    return st.lists(st.tuples(of, st.integers(1, 5)), min_size=2, max_size=4)


def distance(one: list[Rating], other: list[Rating]) -> float:
    return max(
        max(abs(a.mu - b.mu), abs(a.sigma - b.sigma)) for a, b in zip(one, other, strict=True)
    )


@pytest.mark.parametrize("tied", [False, True], ids=["no tie", "a tie of two"])
def test_a_match_is_rated_as_by_the_library(tied):
    rng = Random(f"like the library, {tied}")
    matches = [random_match(rng, tied=tied) for _ in range(SAMPLE)]
    assert max(distance(v2.rate(*match), library_rate(*match)) for match in matches) < WITHIN


@given(st.lists(rating, min_size=2, max_size=5, unique=True), st.randoms(use_true_random=False))
def test_any_table_without_ties_is_rated_as_by_the_library(ratings, shuffler):
    places = list(range(len(ratings)))
    shuffler.shuffle(places)
    assert distance(v2.rate(ratings, places), library_rate(ratings, places)) < WITHIN


LARGER_TIES = [
    pytest.param([1, 1, 1], id="three of three"),
    pytest.param([1, 1, 2, 2], id="two pairs"),
    pytest.param([1, 2, 2, 2], id="three behind one"),
    pytest.param([1, 1, 1, 2], id="three before one"),
    pytest.param([1, 1, 1, 1], id="four of four"),
    pytest.param([1, 2, 2, 2, 3], id="three between two"),
]


@pytest.mark.parametrize("places", LARGER_TIES)
def test_no_order_of_the_seats_changes_a_digit_of_a_larger_tie(places):
    rng = Random(f"symmetry {places}")
    ratings = [Rating(rng.gauss(25, 6), rng.uniform(0.8, 8)) for _ in places]
    rated = v2.rate(ratings, places)
    for order in permutations(range(len(places))):
        again = v2.rate([ratings[seat] for seat in order], [places[seat] for seat in order])
        assert again == [rated[seat] for seat in order]


@pytest.mark.parametrize("places", LARGER_TIES)
def test_equals_within_a_larger_tie_come_out_equal(places):
    rated = v2.rate([Rating(30 - 2 * place, 5) for place in places], places)
    for _, tied in groupby(sorted(zip(places, rated, strict=True)), lambda one: one[0]):
        assert len({rating for _, rating in tied}) == 1


@pytest.mark.parametrize("places", LARGER_TIES)
def test_larger_ties_stay_where_the_former_arithmetic_put_them(places):
    rng = Random(f"distance {places}")
    for _ in range(10):
        ratings = [Rating(rng.gauss(25, 6), rng.uniform(0.8, 8)) for _ in places]
        assert distance(v2.rate(ratings, places), v1.rate(ratings, places)) < 1e-4


@given(tables(wild))
def test_however_unlikely_a_result_is_ratings_stay_finite_and_get_no_less_certain(table):
    ratings, places = zip(*table, strict=True)
    for before, after in zip(ratings, v2.rate(ratings, places), strict=True):
        assert isfinite(after.mu)
        assert 0 < after.sigma <= sqrt(before.sigma**2 + TAU**2) * (1 + 1e-12)


@pytest.mark.parametrize("gap", [40, 100, 300, 3_000, 30_000])
@pytest.mark.parametrize("places", [[1, 2], [1, 1]], ids=["win", "tie"])
def test_an_impossible_surprise_moves_both_towards_each_other(gap, places):
    weak, strong = Rating(0, 1), Rating(gap, 1)
    first, second = v2.rate([weak, strong], places)
    assert first.mu > weak.mu + gap / 40
    assert second.mu < strong.mu - gap / 40
    assert first.mu < second.mu
    assert first.sigma < weak.sigma


@pytest.mark.parametrize(
    ("correct", "limits"),
    [
        pytest.param(truncation.win, [-truncation.TAIL], id="win"),
        pytest.param(truncation.draw, [-truncation.TAIL, truncation.TAIL, 0.0], id="draw"),
    ],
)
def test_corrections_have_no_step_where_their_formula_changes(correct, limits):
    for limit, margins, variance in product(limits, (-1, 0, 1), (35.0, 80.0, 1_000.0, 1e6)):
        mean = limit * sqrt(variance) + margins * truncation.MARGIN
        one, other = (correct(mean + side * 1e-9, variance) for side in (-1, 1))
        assert one == pytest.approx(other, rel=1e-7, abs=1e-8)


def test_a_narrow_margin_has_no_step_where_it_is_integrated():
    variance = (truncation.MARGIN / truncation.NARROW) ** 2
    for x in (0.0, 0.5, 3.0, -3.0):
        mean = x * sqrt(variance)
        one, other = (truncation.draw(mean, variance * (1 + side)) for side in (-1e-9, 1e-9))
        assert one == pytest.approx(other, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize(
    "odd", [Rating(25, 0), Rating(25, -1), Rating(1e300, 1)], ids=["no sigma", "below 0", "huge"]
)
def test_what_the_chain_does_not_cover_is_left_to_the_library(odd):
    ratings, places = [odd, Rating()], [1, 2]
    assert v2.rate(ratings, places) == v1.rate(ratings, places)


def test_the_former_arithmetic_leaves_an_impossible_surprise_as_it_was_and_says_so(caplog):
    ratings = [Rating(0, 1), Rating(300, 1)]
    assert v1.rate(ratings, [1, 2]) == ratings
    assert "ratings stay as they were" in caplog.text


FORMER_DIGITS = [
    ([1, 2], [(25.284806702737715, 6.681476674023983), (18.953685483213622, 6.136358206075968)]),
    ([2, 1], [(16.401046845086707, 6.894294457907248), (25.755540025412074, 6.272844675304605)]),
    ([1, 1], [(21.29814846891785, 6.02578662374446), (22.00607206844382, 5.724551236958277)]),
    (
        [1, 2, 3],
        [
            (28.47812705968292, 6.044148103646801),
            (23.80847371733912, 5.263966266187877),
            (20.63664001608854, 5.024675838579207),
        ],
    ),
    (
        [3, 1, 2],
        [
            (15.389905954833974, 6.470571682489751),
            (28.71529762681914, 5.666234419297181),
            (24.39418768610142, 4.966633065490153),
        ],
    ),
    (
        [1, 1, 2],
        [
            (24.838986048731712, 5.434307907268065),
            (25.32900096451413, 5.176941680722454),
            (21.566650349552006, 5.037930326978953),
        ],
    ),
    (
        [2, 1, 1],
        [
            (16.494715413940735, 6.617539697158409),
            (25.422440546637237, 5.159875029187509),
            (26.19204565434919, 4.8198149476255905),
        ],
    ),
    (
        [1, 1, 1],
        [
            (22.685382797520035, 5.20981124424614),
            (23.308734774354686, 4.969328396555628),
            (24.262507554991654, 4.649531872185631),
        ],
    ),
    (
        [4, 3, 2, 1],
        [
            (14.01936266955329, 6.223663720662898),
            (21.211799516499614, 5.157713233022169),
            (26.624561123313452, 4.652458692049647),
            (31.815293351246197, 4.373024902159332),
        ],
    ),
    (
        [1, 2, 2, 3],
        [
            (29.45316578894019, 5.638531519861582),
            (25.14712845292513, 4.680180141707373),
            (25.940566113026314, 4.392329867691578),
            (24.252386436479213, 4.166285755737576),
        ],
    ),
    (
        [5, 1, 4, 2, 3],
        [
            (14.899808546407048, 6.220475772862687),
            (33.069456328482424, 4.986093260361867),
            (23.507559684651177, 4.528858018252305),
            (30.643192619068202, 3.912811876144839),
            (30.04272693470041, 3.3829249467866247),
        ],
    ),
    (
        [1, 2, 3, 3, 4],
        [
            (32.27919187964643, 5.361771738193927),
            (28.504594802979284, 4.555040150272247),
            (26.57517635318851, 4.119042480337084),
            (27.736037247869866, 3.776743594651205),
            (27.684625784697396, 3.4064798422227685),
        ],
    ),
]
"""As stored ledgers have them."""


@pytest.mark.parametrize(("places", "digits"), FORMER_DIGITS)
def test_the_former_arithmetic_keeps_every_digit(places, digits):
    ratings = [Rating(20 + 3 * seat, 8 - seat) for seat in range(len(places))]
    rated = [(one.mu, one.sigma) for one in v1.rate(ratings, places)]
    # The last digit depends on the processor.
    assert rated == [pytest.approx(one, rel=1e-14) for one in digits]
