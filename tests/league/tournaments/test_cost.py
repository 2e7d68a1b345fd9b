"""The cost line, and the sentences when numbers do not fit."""

import pytest
from hypothesis import given, settings, strategies as st

from league.tournaments.planning.formats import FORMATS, KNOCKOUT, ROUND_ROBIN, SERIES, SWISS
from league.tournaments.planning.pace import Pace
from league.tournaments.planning.plan import byes
from league.tournaments.wording import duration, times
from tests.league.tournaments.pretend import field, play_all

CUP = SWISS.config(seats=4, rounds=5, deals=12, mirrored=True)


def test_the_cost_is_one_line():
    assert SWISS.cost(CUP, 18).sentence(Pace((2.0,), 4)) == (
        "18 bots → 5 rounds × 4 pods × 48 games = 960 games, about 8 min on 4 workers"
    )
    assert KNOCKOUT.cost(KNOCKOUT.config(), 18).sentence(Pace((0.5,), 1)) == (
        "18 bots → 4 rounds, 8 pods × 1 game = 8 games, about 4 s on 1 worker"
    )
    assert SWISS.cost(CUP, 18).sentence(Pace((2.0,), 0)).endswith("once a worker is available")


def test_more_workers_than_games_of_a_round_do_not_help():
    cost = KNOCKOUT.cost(KNOCKOUT.config(), 8)
    assert cost.tables == (2, 1)
    assert cost.seconds(Pace(workers=1)) == 3
    assert cost.seconds(Pace(workers=2)) == cost.seconds(Pace(workers=50)) == 2


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "about 1 s"),
        (40, "about 40 s"),
        (540, "about 9 min"),
        (7800, "about 2 h 10 min"),
    ],
)
def test_a_duration_is_said_in_round_numbers(seconds, words):
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("form", "choices", "count", "notes"),
    [
        (
            SWISS,
            {"rounds": 5},
            18,
            (
                "18 bots do not fill pods of 4. Two bots sit out per round; "
                "each bot sits out at most once."
            ),
        ),
        (
            ROUND_ROBIN,
            {"seats": 3},
            13,
            "13 bots do not fill pods of 3. One bot sits out per round; each bot sits out once.",
        ),
        (SWISS, {}, 16, ""),
        (SWISS, {}, 3, "3 bots do not fill a table of 4. At least 4 are needed."),
        (SWISS, {}, 0, "There are no bots yet. At least 4 are needed."),
        (SWISS, {}, 1, "1 bot does not fill a table of 4. At least 4 are needed."),
        (SWISS, {}, 201, "201 bots are too many: at most 200 can enter."),
        (KNOCKOUT, {}, 16, ""),
        (KNOCKOUT, {}, 18, "The 14 strongest bots go straight to round 2."),
        (
            KNOCKOUT,
            {"seats": 5},
            14,
            (
                "The 9 strongest bots go straight to round 2. "
                "In round 1, 1 of pod A advances instead of 2. "
                "In round 2, 3 of pod A advance instead of 2."
            ),
        ),
        (
            SERIES,
            {"seats": 3, "deals": 4},
            3,
            (
                "4 games cannot be spread evenly over a table of 3: "
                "not everybody has each seat equally often."
            ),
        ),
    ],
)
def test_numbers_that_do_not_fit_are_explained(form, choices, count, notes):
    assert " ".join(form.notes(form.config(**choices), count)) == notes


@settings(max_examples=15)
@given(
    slug=st.sampled_from(["round-robin", "swiss", "series"]),
    seats=st.integers(2, 5),
    count=st.integers(5, 30),
    rounds=st.integers(1, 9),
)
def test_what_is_said_about_byes_is_true(slug, seats, count, rounds):
    form = FORMATS[slug]
    config = form.config(seats=seats, rounds=rounds, deals=seats)
    sat_out = byes(play_all(form, config, field(count)))
    often = {sat_out[entry] for entry in range(1, count + 1)}
    if notes := form.notes(config, count):
        most = times(max(often))
        expected = f"each bot sits out {most}." if len(often) == 1 else f"out at most {most}."
        assert notes[0].endswith(expected)
    else:
        assert often == {0}
