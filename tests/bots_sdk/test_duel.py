"""The test of a duel: it may be looked at all the time, and errs as rarely as it says."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, strategies as st

from bots_sdk.local.duel import Duel, Verdict, pairs


def simulated(rng, deals, chance, alike=0.2):
    """A duel of two bots of which the first wins so many of the deals that do not end alike."""
    duel = Duel(deals)
    while not duel.decided:
        if rng.random() < alike:
            duel = duel.add(2, 2)
        else:
            duel = duel.add(1, 2) if rng.random() < chance else duel.add(2, 1)
    return duel


@pytest.mark.parametrize(("deals", "alike"), [(200, 0.2), (200, 0.9), (50, 0.0)])
def test_equal_bots_are_called_different_in_at_most_5_of_100_duels(deals, alike):
    rng = Random(f"{deals} {alike}")
    verdicts = [simulated(rng, deals, 0.5, alike).verdict() for _ in range(1000)]
    wrong = sum(verdict is not Verdict.ALIKE for verdict in verdicts)
    assert wrong <= 50


def test_looking_for_a_long_time_does_not_find_a_difference_that_is_not_there():
    rng = Random("long")
    duels = [simulated(rng, 2000, 0.5) for _ in range(100)]
    assert sum(duel.deals < 2000 for duel in duels) <= 3


@pytest.mark.parametrize(("chance", "verdict"), [(0.65, Verdict.STRONGER), (0.35, Verdict.WEAKER)])
def test_a_clear_difference_is_found_and_on_the_right_side(chance, verdict):
    rng = Random(f"clear {chance}")
    duels = [simulated(rng, 400, chance) for _ in range(100)]
    assert sum(duel.verdict() is verdict for duel in duels) >= 95
    assert sum(duel.deals for duel in duels) / len(duels) < 300


def test_a_crushing_difference_ends_the_duel_soon():
    duel = simulated(Random(1), 1000, 0.95)
    assert duel.verdict() is Verdict.STRONGER
    assert duel.deals < 30
    low, _ = duel.interval()
    assert low > 0.55


def test_the_interval_holds_the_truth_in_95_of_100_duels():
    rng = Random("interval")
    held = 0
    for _ in range(300):
        low, high = simulated(rng, 150, 0.6).interval()
        held += low <= 0.5 + 0.8 * 0.1 <= high
    assert held >= 285


counts = st.integers(0, 150)


@given(counts, counts, counts, st.booleans())
def test_interval_and_verdict_never_contradict_each_other(won, same, lost, ended):
    deals = won + same + lost
    duel = Duel(deals if ended else deals + 1, won, same, lost)
    low, high = duel.interval()
    assert 0 <= low <= duel.share + 1e-9
    assert duel.share - 1e-9 <= high <= 1
    verdict = duel.verdict()
    assert (verdict is Verdict.STRONGER) is (low > 0.5)
    assert (verdict is Verdict.WEAKER) is (high < 0.5)


@given(counts, counts, counts)
def test_seen_from_the_other_side_everything_is_mirrored(won, same, lost):
    deals = won + same + lost
    duel, mirrored = Duel(deals, won, same, lost), Duel(deals, lost, same, won)
    low, high = duel.interval()
    assert mirrored.interval() == pytest.approx((1 - high, 1 - low))
    assert mirrored.evidence == pytest.approx(duel.evidence)


def test_bots_that_play_alike_are_not_told_apart():
    duel = Duel(200)
    for _ in range(200):
        duel = duel.add(3, 3)
    assert duel.verdict() is Verdict.ALIKE
    assert duel.interval() == pytest.approx((0.4925, 0.5075))


def test_a_bot_that_committed_faults_was_not_measured():
    duel = Duel(3).add(1, 2, (False, True)).add(1, 2).add(1, 2)
    assert duel.verdict() is Verdict.INVALID
    assert duel.faulty == (0, 1)


def test_both_play_the_same_deals_from_the_same_seat_against_the_same_opponents():
    plan = pairs("7", 12, 4, opponents=3)
    assert len({first.seed for first, _ in plan}) == 12
    for first, second in plan:
        assert first.seed == second.seed
        assert [bot or 1 for bot in first.bots] == list(second.bots)
        assert sorted(first.bots) == [0, 2, 3, 4]
    assert [first.bots.index(0) for first, _ in plan] == [0, 1, 2, 3] * 3
    left_hand = {(first.bots.index(0), first.bots[first.bots.index(0) - 1]) for first, _ in plan}
    assert left_hand == set(product(range(4), (2, 3, 4)))
