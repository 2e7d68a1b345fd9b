"""Turning points are more than chance, and told by what brought them about."""

import random

import pytest

from bots_sdk.chances.estimate import estimate
from bots_sdk.chances.turning import turning_points
from bots_sdk.chances.values import PER_MILLE, Row, in_per_mille
from engine.facets.presentation import Presentation
from engine.registry import GAMES
from tests.bench.chances import BOTS, mixed_matches

PLAYOUTS = 40
FAULT = {"code": "E302", "detail": "It thought for too long."}
AT_ONCE = [(0, [400, 300, 300]), (4, [900, 50, 50])]
SLOWLY = [(0, [300, 400, 300]), (2, [450, 300, 250]), (4, [600, 200, 200]), (6, [750, 150, 100])]
FORFEIT = [(0, [300, 400, 300]), (4, [600, 0, 400])]
OF_ANOTHER = [(0, [450, 100, 450]), (4, [900, 0, 100])]


def record_of(length, kinds=(), faults=()):
    """A record of nothing but kinds of steps; those that are not given are forced moves."""
    steps = [{"i": i, "t": "move", "seat": 0, "forced": True, "text": "."} for i in range(length)]
    for i, facts in dict(kinds).items():
        steps[i] |= facts
    return {"steps": [*steps, {"i": length, "t": "end", "text": "."}], "faults": list(faults)}


def turns(rows, record):
    return turning_points([Row(*row) for row in rows], PLAYOUTS, record, Presentation())


def drawn(seats, playouts, count, rng):
    """Rows of a match in which the chances never change."""
    wins = [[rng.randrange(seats) for _ in range(playouts)] for _ in range(count)]
    return [
        Row(i, in_per_mille([row.count(seat) for seat in range(seats)]))
        for i, row in enumerate(wins)
    ]


@pytest.mark.parametrize("playouts", [40, 64])
@pytest.mark.parametrize("seats", [3, 4, 5, 7])
def test_chances_that_never_change_hardly_ever_have_a_turning_point(seats, playouts):
    rng, rows, matches = random.Random(f"{seats} {playouts}"), 24, 100
    record = record_of(rows)
    false = sum(
        len(turning_points(drawn(seats, playouts, rows, rng), playouts, record, Presentation())[0])
        for _ in range(matches)
    )
    assert false / matches < 0.3


@pytest.mark.parametrize("game", BOTS)
def test_most_matches_of_real_bots_turn(game):
    presentation = GAMES[game].presentation
    records = list(mixed_matches(game, 4, 3))
    points = [(record, point) for record in records for point in estimate(record).turning_points]
    assert len(points) >= len(records)
    for record, point in points:
        assert point.first < point.step <= point.last
        assert not presentation.is_scoring(record["steps"][point.step])


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(AT_ONCE, [(0, 4)], id="at once"),
        pytest.param(SLOWLY, [(0, 6)], id="over some rows"),
        pytest.param([*SLOWLY[:2], (4, [550, 240, 210])], [], id="too little"),
        pytest.param([*AT_ONCE, (6, [850, 100, 50])], [(0, 4)], id="the quick one alone"),
        pytest.param([(0, [0, 500, 500]), (4, [125, 450, 425])], [], id="none in 40 is not none"),
    ],
)
def test_a_swing_is_between_rows_that_differ_for_sure(rows, expected):
    found, swing = turns(rows, record_of(9))
    assert [(point.first, point.last) for point in found] == expected
    assert swing == sum(point.size for point in found) / PER_MILLE


@pytest.mark.parametrize(
    ("rows", "seat"),
    [
        pytest.param(AT_ONCE, 0, id="who rose"),
        pytest.param([(0, [200, 700, 100]), (4, [450, 150, 400])], 1, id="who fell"),
        pytest.param([(0, [200, 800, 0]), (4, [800, 200, 0])], 0, id="of two who rose"),
    ],
)
def test_it_is_told_of_the_seat_whose_chance_changed_most(rows, seat):
    (point,), _ = turns(rows, record_of(9))
    assert point.seat == seat


CHOICE = {"seat": 1, "forced": False}
OWN = {"seat": 0, "forced": False}
ALL_AT_ONCE = {"seat": None, "forced": [False, True, True]}


@pytest.mark.parametrize(
    ("kinds", "step"),
    [
        pytest.param({2: OWN, 3: {"t": "score"}}, 2, id="a choice, not what is paid for it"),
        pytest.param({2: OWN, 3: CHOICE}, 2, id="a choice of its own first"),
        pytest.param({2: ALL_AT_ONCE}, 2, id="a choice of all at once"),
        pytest.param({1: CHOICE, 2: CHOICE | {"t": "start"}}, 2, id="what is shown for longest"),
    ],
)
def test_a_decision_is_quoted(kinds, step):
    (point,), _ = turns(AT_ONCE, record_of(9, kinds))
    assert point.step == step


def test_the_end_is_quoted_last_of_all():
    (point,), _ = turns([(0, [400, 300, 300]), (4, [1000, 0, 0])], record_of(4))
    assert point.step == 3


@pytest.mark.parametrize(
    ("rows", "facts"),
    [
        pytest.param(FORFEIT, (2, 1, True), id="whose chance it took"),
        pytest.param(OF_ANOTHER, (3, 0, False), id="not if another lost more"),
        pytest.param([FORFEIT[0], (1, [310, 390, 300])], None, id="not before it"),
    ],
)
def test_a_forfeit_is_a_turning_point_and_nothing_to_watch(rows, facts):
    fault = {"step": 2, "seat": 1, **FAULT}
    found, swing = turns(rows, record_of(9, {3: OWN}, [fault]))
    if facts is None:
        assert not found
    else:
        (point,) = found
        assert (point.step, point.seat, point.forfeited) == facts
        assert (swing == 0) == point.forfeited


def test_no_slow_change_goes_over_a_forfeit():
    rows = [(0, [300, 200, 500]), (2, [400, 100, 500]), (4, [550, 0, 450]), (6, [700, 0, 300])]
    assert turns(rows, record_of(9))[0]
    assert not turns(rows, record_of(9, (), [{"step": 4, "seat": 1, **FAULT}]))[0]
