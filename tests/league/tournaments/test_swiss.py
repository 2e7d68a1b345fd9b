"""Swiss pods: neighbours meet, nobody twice without need."""

from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given, settings, strategies as st

from league.tournaments.planning.certificate import certify
from league.tournaments.planning.formats import SWISS
from league.tournaments.planning.plan import meetings
from league.tournaments.planning.scoring import totals
from tests.league.tournaments.pretend import field, play_all, played


@settings(max_examples=12)
@given(count=st.integers(4, 24), seed=st.sampled_from("abcd"))
def test_two_meet_again_only_if_no_other_pairing_is_left(count, seed):
    config, entries, rounds = SWISS.config(seats=2, rounds=9), field(count), []
    while upcoming := SWISS.next_round(config, entries, rounds):
        met = meetings(rounds)
        again = [t for t in upcoming.tables if met[frozenset(t.entries)]]
        at_tables = [entry for table in upcoming.tables for entry in table.entries]
        strangers = nx.Graph(
            pair for pair in combinations(at_tables, 2) if not met[frozenset(pair)]
        )
        possible = len(nx.max_weight_matching(strangers, maxcardinality=True))
        assert len(upcoming.tables) - len(again) == possible
        rounds.append(played(upcoming, seed))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_large_field_has_no_rematch_in_five_rounds(seats):
    config, entries = SWISS.config(seats=seats), field(64)
    rounds = play_all(SWISS, config, entries)
    found = certify(range(1, 65), seats, rounds)
    assert len(rounds) == 5
    assert found.meetings.most == 1
    assert found.byes.most <= 1


def test_the_first_round_spreads_the_seeds_over_the_tables():
    tables = SWISS.next_round(SWISS.config(seats=4), field(18), []).tables
    quarters = [{(entry - 1) // 4 for entry in table.entries} for table in tables]
    assert quarters == [{0, 1, 2, 3}] * 4


def test_the_last_in_the_standings_sit_out_first_and_not_twice():
    config, entries = SWISS.config(seats=4), field(18)
    first = SWISS.next_round(config, entries, [])
    assert set(first.byes) == {17, 18}
    rounds = [played(first)]
    second = SWISS.next_round(config, entries, rounds)
    points = totals(config, rounds)
    playing = [entry for table in second.tables for entry in table.entries]
    others = [points[entry] for entry in playing if entry not in first.byes]
    assert max(points[entry] for entry in second.byes) <= min(others)
    assert not set(second.byes) & {17, 18}


def test_the_leaders_meet_at_the_first_table():
    config, entries = SWISS.config(seats=4, rounds=3), field(64)
    rounds = [played(SWISS.next_round(config, entries, []))]
    upcoming = SWISS.next_round(config, entries, rounds)
    points = totals(config, rounds)
    means = [sum(points[entry] for entry in table.entries) for table in upcoming.tables]
    assert means == sorted(means, reverse=True)
    assert means[0] == 12, "four of the sixteen who won their first table"
