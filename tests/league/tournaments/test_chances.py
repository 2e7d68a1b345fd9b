"""The chance to win: sums to one, knows who leads and who is stronger."""

import pytest

from bots_sdk.rating.skill import Rating
from league.tournaments.planning.chances import chances

SCHEME = (3, 2, 1, 0)
EQUAL = {entry: Rating(25, 1) for entry in range(8)}


def test_chances_sum_to_one_and_are_the_same_again():
    points = {entry: float(entry % 3) for entry in range(8)}
    one = chances(points, EQUAL, SCHEME, 3, seed="cup")
    assert sum(one.values()) == pytest.approx(1)
    assert chances(points, EQUAL, SCHEME, 3, seed="cup") == one
    assert chances({}, {}, SCHEME, 3) == {}


def test_when_nothing_is_left_the_leaders_share_the_chance():
    assert chances({1: 5.0, 2: 5.0, 3: 4.0}, {}, SCHEME, 0) == {1: 0.5, 2: 0.5, 3: 0.0}


def test_a_lead_and_a_skill_raise_the_chance():
    level = dict.fromkeys(range(8), 0.0)
    leading = chances(level | {3: 4.0}, EQUAL, SCHEME, 2)
    assert leading[3] == max(leading.values())
    stronger = chances(level, EQUAL | {5: Rating(40, 1)}, SCHEME, 3)
    assert stronger[5] > 0.5


def test_many_games_at_a_table_leave_less_to_luck():
    skills = EQUAL | {5: Rating(28, 0.1)}
    level = dict.fromkeys(range(8), 0.0)
    few, many = (chances(level, skills, SCHEME, 2, games)[5] for games in (1, 48))
    assert many > few
