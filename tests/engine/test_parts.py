"""The small parts the games are made of: chance, gems, majorities, patches, the registry."""

import copy
from collections import Counter
from random import Random

import pytest
from hypothesis import given, strategies as st

from engine.barter import narration
from engine.barter.gems import common, fits, letters, pack, size, unpack
from engine.barter.majority import majority
from engine.game import BadSetup, placements, quoted
from engine.record.patch import apply, diff
from engine.registry import find
from engine.rng import Rng

vectors = st.lists(st.integers(0, 22), min_size=4, max_size=4)


def test_the_generator_is_that_of_python_by_getrandbits_and_rejection():
    """Written out once more, because records of all times depend on it."""
    rng, bits = Rng("seed"), Random("seed").getrandbits
    for n in (1, 2, 3, 30, 39, 1000):
        value = bits(n.bit_length())
        while value >= n:
            value = bits(n.bit_length())
        assert rng.below(n) == value


def test_a_shuffle_is_fisher_and_yates_from_the_end():
    mine, theirs = list(range(39)), list(range(39))
    Rng("shuffle").shuffle(mine)
    uniform = Rng("shuffle")
    for i in range(38, 0, -1):
        j = uniform.below(i + 1)
        theirs[i], theirs[j] = theirs[j], theirs[i]
    assert mine == theirs


def test_a_shuffle_makes_all_orders_equally_often():
    rng, seen = Rng("orders"), Counter()
    for _ in range(24_000):
        cards = [0, 1, 2, 3]
        rng.shuffle(cards)
        seen[tuple(cards)] += 1
    assert len(seen) == 24
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 50


@given(a=vectors, b=vectors)
def test_packed_gems_behave_like_vectors(a, b):
    assert unpack(pack(a)) == a
    assert size(pack(a)) == sum(a)
    assert fits(pack(a), pack(b)) is all(x <= y for x, y in zip(a, b, strict=True))
    assert unpack(common(pack(a), pack(b))) == [min(x, y) for x, y in zip(a, b, strict=True)]
    assert letters(pack(a)) == "".join(c for c, n in zip("RYGB", a, strict=True) if n)


@pytest.mark.parametrize(
    ("counts", "value", "expected"),
    [
        pytest.param([5, 3, 2], 14, ([0], 14, 3), id="alone: all of it, half back rounded up"),
        pytest.param([4, 3, 2], 14, ([0], 14, 2), id="alone with an even number"),
        pytest.param([1, 0, 0], 8, ([0], 8, 1), id="alone with one"),
        pytest.param([4, 4, 1], 10, ([0, 1], 5, 2), id="a tie shares, two back"),
        pytest.param([1, 1, 1], 8, ([0, 1, 2], 2, 1), id="rounded down, no more than held"),
        pytest.param([0, 0, 0], 12, ([], 0, 0), id="no gem, no majority"),
    ],
)
def test_the_most_gems_are_paid_and_partly_returned(counts, value, expected):
    assert majority(counts, 3, value) == expected


@pytest.mark.parametrize(
    ("keys", "expected"),
    [([3, 1, 2], [1, 3, 2]), ([5, 5, 1], [1, 1, 3]), ([1, 2, 2, 2], [4, 1, 1, 1])],
)
def test_equal_keys_share_a_place_and_the_next_is_skipped(keys, expected):
    assert placements(keys) == expected


plain = st.none() | st.integers(-5, 5) | st.sampled_from(["a", "b", "c"])
views = st.fixed_dictionaries(
    {
        "money": st.integers(0, 3),
        "card": plain,
        "gems": st.lists(st.integers(0, 2), min_size=4, max_size=4),
        "held": st.lists(st.sampled_from("abc"), max_size=3),
        "rows": st.lists(st.lists(st.none() | st.just("x"), min_size=2, max_size=2), max_size=3),
        "barter": st.none() | st.fixed_dictionaries({"offer": plain, "by": plain}),
    }
)


@given(before=views, after=views)
def test_a_patch_turns_one_view_into_the_other(before, after):
    patch = diff(before, after)
    changed = copy.deepcopy(before)
    apply(changed, patch)
    assert changed == after
    assert (patch == {}) is (before == after)


def test_a_patch_names_no_more_than_what_changed():
    before = {"seats": [{"money": 1, "gems": [1, 2]}, {"money": 2, "gems": [3, 4]}], "barter": None}
    after = {"seats": [{"money": 1, "gems": [1, 2]}, {"money": 5, "gems": [3, 3]}], "barter": {}}
    assert diff(before, after) == {
        "/seats/1/money": 5,
        "/seats/1/gems": [3, 3],
        "/barter": {},
    }


def test_an_unknown_game_is_refused_with_those_there_are():
    with pytest.raises(BadSetup, match="there are edel-stein-reich, basari, edelsteinsuche"):
        find("chess")
    assert repr(find("basari")) == "<Game basari>"


def test_a_stranger_s_long_move_is_quoted_short():
    assert quoted("x" * 10_000) == repr("x" * 39 + "…")
    assert quoted("a\n{0}") == "'a\\n{0}'"


@pytest.mark.parametrize(
    ("vector", "text"),
    [
        ([0, 0, 0, 0], "nothing"),
        ([0, 2, 0, 0], "2 yellow"),
        ([1, 0, 0, 2], "1 red and 2 blue"),
        ([1, 2, 3, 4], "1 red, 2 yellow, 3 green and 4 blue"),
    ],
)
def test_gems_are_counted_in_words(vector, text):
    assert narration.gems(vector) == text
