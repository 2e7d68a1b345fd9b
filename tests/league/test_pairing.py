"""Who plays whom, over many tables."""

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import given, strategies as st

from bots_sdk.rating import Rating
from league.ladder.pairing import Candidate, pair
from league.ladder.services import _after as after

SIZES = (3, 4, 5)


def crowd(count, owners=None, spread=3.0):
    return {
        n: Candidate(n, owners[n] if owners else None, Rating(25 + spread * (n % 7 - 3), 4.0))
        for n in range(count)
    }


def play_on(candidates, matches, seed="crowd", sizes=SIZES):
    rng = Random(seed)
    tables = dict.fromkeys(sizes, 0)
    made = []
    for _ in range(matches):
        seated = pair(list(candidates.values()), tables, rng)
        tables[len(seated)] += 1
        made.append([one.bot for one in seated])
        for one in candidates.values():
            candidates[one.bot] = replace(one, waited=one.waited + 1)
        for seat, one in enumerate(seated):
            candidates[one.bot] = after(candidates[one.bot], seat)
    return made


@given(st.integers(3, 40), st.integers(0, 10**6))
def test_a_table_seats_different_bots_of_the_ladder(count, seed):
    for table in play_on(crowd(count), 5, seed):
        assert len(table) in SIZES
        assert len(set(table)) == len(table)


def test_too_few_bots_for_a_table_make_none():
    assert pair(list(crowd(2).values()), dict.fromkeys(SIZES, 0), Random(1)) is None


def test_few_bots_play_at_the_tables_they_can_fill():
    assert {len(table) for table in play_on(crowd(3), 20)} == {3}


def test_everybody_plays_about_as_often():
    counts = Counter(bot for table in play_on(crowd(20), 300) for bot in table)
    assert len(counts) == 20
    assert max(counts.values()) <= 1.6 * min(counts.values())


def test_table_sizes_have_equal_shares():
    sizes = Counter(len(table) for table in play_on(crowd(20), 600))
    assert max(sizes.values()) - min(sizes.values()) <= 1


def test_every_bot_gets_every_seat_equally_often():
    candidates = crowd(12)
    play_on(candidates, 400, sizes=(4,))
    for one in candidates.values():
        assert max(one.seats.values()) - min(one.seats.values()) <= 3


def test_opponents_are_mostly_near_and_sometimes_far():
    candidates = {n: Candidate(n, None, Rating(5.0 * n, 1.0)) for n in range(9)}
    gaps = Counter(
        abs(other - table[0])
        for table in play_on(candidates, 900, sizes=(2,))
        for other in table[1:]
    )
    assert gaps[1] > gaps[4] > 0
    assert gaps[1] > 3 * gaps[4]
    assert gaps[7] + gaps[8] > 0


def test_a_newcomer_is_served_at_once_and_until_it_has_caught_up():
    candidates = crowd(15)
    play_on(candidates, 200)
    candidates[99] = Candidate(99, None, Rating())
    tables = play_on(candidates, 20, "newcomer")
    assert sum(99 in table for table in tables) == 20


def test_two_bots_of_one_owner_meet_only_if_nobody_else_is_there():
    owners = [1, 1, 1, 2, 3, None, None]
    for table in play_on(crowd(7, owners), 200):
        seated = [owners[bot] for bot in table if owners[bot] is not None]
        assert len(seated) == len(set(seated))
    assert len(play_on(crowd(3, [1, 1, 1]), 1, sizes=(3,))[0]) == 3
