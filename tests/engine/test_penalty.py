"""Penalty points of a series."""

import pytest

from engine.penalty import BEHIND_BEST
from engine.registry import GAMES


@pytest.mark.parametrize(
    ("penalty", "scores", "forfeits", "points"),
    [
        pytest.param(BEHIND_BEST, [61, 40, 61], [], [0, 21, 0], id="behind the best"),
        pytest.param(BEHIND_BEST, [300, 1], [], [0, 200], id="never more than the most"),
        pytest.param(BEHIND_BEST, [90, 40, 30], [0], [200, 0, 10], id="without the forfeited"),
        pytest.param(BEHIND_BEST, [5, 6], [0, 1], [200, 200], id="all forfeited"),
        pytest.param(GAMES["edelsteinsuche"].penalty, [0, -3], [], [0, 3], id="cards missing"),
    ],
)
def test_a_series_notes_penalty_points(penalty, scores, forfeits, points):
    assert penalty.noted(scores, forfeits) == points
