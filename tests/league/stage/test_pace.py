"""How fast walls show matches by themselves: the pace tells nothing of the match."""

import pytest

from engine.registry import GAMES
from league.stage.premiere import pace
from league.stage.premiere.clock import SPEEDS
from tests.engine.tables import every_table


@every_table
def test_a_game_has_one_pace_for_each_number_of_seats(game, seats):
    speed = pace.auto_speed(game.slug, seats)
    assert 1.0 <= speed <= pace.MAX_AUTO_SPEED
    assert speed in SPEEDS
    pace.auto_speed.cache_clear()
    assert pace.auto_speed(game.slug, seats) == speed, "another process shows it as fast"


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        pytest.param("chess", 2, id="a game that is no more"),
        pytest.param(next(iter(GAMES)), 99, id="a number of seats that it does not have"),
    ],
)
def test_what_cannot_be_played_is_shown_as_it_is(game, seats):
    assert pace.auto_speed(game, seats) == 1.0
