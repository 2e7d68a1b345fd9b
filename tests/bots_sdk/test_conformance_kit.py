"""The conformance kit: our games pass, and each broken duty is named."""

from dataclasses import replace

import pytest

from bots_sdk.conformance import Nonconforming, check_game
from engine.facets.presentation import Mark, Presentation
from engine.game import Outcome
from engine.registry import GAMES

GAME = GAMES["basari"]


@pytest.mark.parametrize("slug", GAMES)
def test_our_games_conform(slug):
    check_game(GAMES[slug], seeds=("1",))


class UnknownMarks(Presentation):
    """Marks a kind that it does not explain."""

    def marks(self, steps):
        return [Mark(0, "mystery", "?")]


def _too_wide(state, seat=None):
    return GAME.view(state, seat) | {"table": {1, 2}}


@pytest.mark.parametrize(
    ("broken", "duty"),
    [
        pytest.param(
            {"fallback": lambda *_: "nonsense"}, "the fallback is not legal", id="fallback"
        ),
        pytest.param({"illegal_reason": lambda *_: None}, "refused without reason", id="reason"),
        pytest.param({"max_decisions": lambda *_: 3}, "ends within its bound", id="bound"),
        pytest.param({"view": _too_wide}, "plain JSON", id="view"),
        pytest.param({"clone": lambda state: state}, "changed the original", id="clone"),
        pytest.param({"narrate": lambda *_: " "}, "has no sentence", id="sentence"),
        pytest.param({"presentation": UnknownMarks()}, "unknown kind 'mystery'", id="marks"),
        pytest.param(
            {"outcome": lambda _: Outcome([1, 1, 1], [0, 0, 0], "completed")},
            "an outcome exactly when it is over",
            id="outcome",
        ),
    ],
)
def test_a_broken_duty_is_named(broken, duty):
    with pytest.raises(Nonconforming, match=duty):
        check_game(replace(GAME, **broken), seeds=("1",))
