"""The arena: everybody meets everybody from every seat, and the figures are honest."""

from collections import Counter
from itertools import combinations

import pytest

from bots_sdk.local.arena import Standings, schedule
from bots_sdk.local.matches import Entrant, FinishedMatch, MatchSetup, Seating, play_all
from engine.game import Outcome
from runners.match import Fault, MatchResult


def finished(bots, placements, seed="1", faults=(), thought_ms=None):
    outcome = Outcome(list(placements), [0] * len(bots), "completed")
    times = thought_ms or [[] for _ in bots]
    played = MatchResult(outcome, 1, None, faults=list(faults), thought_ms=times)
    return FinishedMatch(Seating(tuple(bots), seed), played, 0.0)


def test_every_table_size_line_up_and_seat_gets_its_share():
    plan = schedule(5, (3, 4), "7", games=2 * 10 * 12)
    sizes = Counter(len(seating.bots) for seating in plan)
    assert sizes == {3: 120, 4: 120}
    for size in (3, 4):
        seats = Counter(
            (bot, seat)
            for seating in plan
            if len(seating.bots) == size
            for seat, bot in enumerate(seating.bots)
        )
        assert len(seats) == 5 * size
        assert max(seats.values()) - min(seats.values()) <= size
    meetings = Counter(pair for seating in plan for pair in combinations(sorted(seating.bots), 2))
    assert len(meetings) == 10
    assert len(set(meetings.values())) == 1
    assert len({seating.seed for seating in plan}) == len(plan)


def test_a_deal_is_played_in_every_rotation_of_the_seats():
    plan = schedule(4, (3,), "7", deals=4)
    assert len(plan) == 12
    for begun in range(0, 12, 3):
        deal = plan[begun : begun + 3]
        assert len({seating.seed for seating in deal}) == 1
        line_up = deal[0].bots
        assert [seating.bots for seating in deal] == [
            line_up,
            line_up[1:] + line_up[:1],
            line_up[2:] + line_up[:2],
        ]
    assert len({seating.seed for seating in plan}) == 4


def test_the_plan_depends_on_nothing_but_its_seed():
    assert schedule(6, (3, 4, 5), "a", games=50) == schedule(6, (3, 4, 5), "a", games=50)
    assert schedule(6, (3, 4, 5), "a", games=50) != schedule(6, (3, 4, 5), "b", games=50)


def test_whoever_wins_is_rated_higher_and_ties_are_shared():
    standings = Standings(3)
    for number in range(30):
        standings.add(finished((2, 0, 1), (1, 2, 2), str(number)))
    rows = standings.ranking()
    assert rows[0].bot == 2
    assert rows[0].wins == 30
    assert rows[0].ahead == 1
    assert rows[1].rating == rows[2].rating
    assert [row.ahead for row in rows[1:]] == [0.25, 0.25]


def test_the_matches_of_one_deal_count_as_one():
    lone, rotated = Standings(2), Standings(2)
    for number in range(20):
        lone.add(finished((0, 1), (1, 2), str(number)))
        for _ in range(10):
            rotated.add(finished((0, 1), (1, 2), str(number)))
    assert lone.head_to_head(0, 1) == rotated.head_to_head(0, 1)
    assert lone.head_to_head(0, 1).deals == 20


def test_a_head_to_head_is_seen_from_either_side():
    standings = Standings(3)
    for number in range(40):
        standings.add(finished((1, 0), (1, 2) if number % 4 else (2, 1), str(number)))
    one, other = standings.head_to_head(1, 0), standings.head_to_head(0, 1)
    assert one.share == 0.75
    assert other.share == 0.25
    assert (other.low, other.high) == pytest.approx((1 - one.high, 1 - one.low))
    assert one.clear
    assert standings.head_to_head(0, 2) is None


def test_a_few_deals_that_agree_are_no_certainty():
    standings = Standings(2)
    clear = []
    for number in range(8):
        standings.add(finished((0, 1), (1, 2), str(number)))
        clear.append(standings.head_to_head(0, 1).clear)
    assert clear == [False] * 5 + [True] * 3


def test_faults_and_thinking_times_belong_to_the_bot_and_not_to_the_seat():
    standings = Standings(2)
    fault = Fault(0, 3, "E303", "It raised.")
    standings.add(finished((1, 0), (2, 1), faults=[fault], thought_ms=[[5.0, 1.0, 3.0], []]))
    better, worse = standings.ranking()
    assert worse.faults == {"E303": 1}
    assert (worse.median_ms, worse.slowest_ms) == (3.0, 5.0)
    assert (better.faults, better.median_ms) == ({}, None)


@pytest.mark.parametrize("jobs", [1, 2])
def test_matches_come_out_in_their_order_and_alike_however_many_processes_play(jobs):
    hall = MatchSetup("basari", (Entrant("random"), Entrant("fallback"), Entrant("random")), {})
    plan = schedule(3, (3,), "7", deals=4)
    results = [(done.seating, done.result.outcome) for done in play_all(hall, plan, jobs)]
    assert [seating for seating, _ in results] == plan
    assert [outcome for _, outcome in results] == [
        done.result.outcome for done in play_all(hall, plan)
    ]
