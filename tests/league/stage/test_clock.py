"""The clock of a premiere is arithmetic."""

import pytest

from league.stage.premiere.clock import Clock, starts, step_count


@pytest.mark.parametrize(
    ("clock", "now_ms", "position"),
    [
        pytest.param(Clock(500.0, None, 2.0), 9000.0, 500.0, id="paused"),
        pytest.param(Clock(500.0, 1000.0, 1.0), 4000.0, 3500.0, id="running"),
        pytest.param(Clock(500.0, 1000.0, 4.0), 2000.0, 4500.0, id="fast"),
        pytest.param(Clock(500.0, 1000.0, 1.0), 900.0, 500.0, id="set a moment ahead"),
    ],
)
def test_a_position_follows_from_when_the_clock_was_set(clock, now_ms, position):
    assert clock.position(now_ms) == position


@pytest.mark.parametrize(
    ("position", "count"),
    [(-1, 1), (0, 1), (799, 1), (800, 2), (1399, 2), (1400, 3), (99_999, 3)],
)
def test_a_step_is_out_from_the_moment_it_begins(position, count):
    assert starts([800, 600, 600]) == [0, 800, 1400]
    assert step_count([0, 800, 1400], position) == count
