"""`make chaos` in its short form: everything goes wrong once, and nothing is lost."""

import pytest

from tests.chaos.league import run
from tests.league.home import SERVER

pytestmark = pytest.mark.stack

SECONDS = 5


def test_a_league_that_is_broken_all_the_time_loses_nothing():
    done, played, wrong = run(server=SERVER, seconds=SECONDS, seed="short", say=print)
    assert not wrong, (wrong, done)
    assert played["finished"] > 0
    assert {"kill_worker", "kill_control", "kill_web"} <= set(done)
