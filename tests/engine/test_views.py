"""Views that are built quickly say the same as views that are built plainly."""

from random import Random

from hypothesis import given, settings, strategies as st

from engine.game import PUBLIC
from engine.registry import GAMES
from engine.rng import Rng
from tests.engine.slow_views import BUILDERS, slow_view
from tests.engine.tables import at_random, every_table


def test_every_game_of_ours_has_a_plain_view_to_compare_with():
    assert {"edel-stein-reich", "basari", "edelsteinsuche"} <= set(BUILDERS) & set(GAMES)


@every_table
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**9), share=st.sampled_from([1, 0.5, 0.1]))
def test_a_view_equals_the_plain_one_whoever_looked_before_and_spoiled_what_they_got(
    game, seats, seed, share
):
    chance, rng, pick = Random(seed), Rng(str(seed)), Rng(f"{seed} moves")
    viewers = [None, PUBLIC, *range(seats)]

    def look(_, state, __):
        """Look in the middle of a turn, too, as records do."""
        for seat in viewers:
            # Who looks seldom must find what happened meanwhile.
            if chance.random() < share:
                view, expected = game.view(state, seat), slow_view(game, state, seat)
                if expected is not None:
                    assert view == expected
                    assert repr(_ordered(view)) == repr(_ordered(expected))
                _spoil(view)

    state = game.start(seats, {}, rng, look)
    turns = 0
    while game.to_move(state) and turns < 150:
        if chance.random() < 0.1:
            state = game.clone(state)
        game.play(state, at_random(game, state, pick), rng, look)
        turns += 1
    assert turns


def _ordered(value):
    """Return a value in which only its kinds and contents matter: true is no 1."""
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value)}
    return [_ordered(one) for one in value] if isinstance(value, list) else value


def _spoil(value):
    """Change everything inside a view, as somebody who was handed it may."""
    parts = value.values() if isinstance(value, dict) else value
    for part in [one for one in parts if isinstance(one, dict | list)]:
        _spoil(part)
    value.clear()
