"""For authors who test with pytest: `pytest_plugins = ["bots_sdk.fixtures"]` in the conftest.py.

It is a convenience; `bots_sdk.testing` works without it.
"""

from collections.abc import Callable

import pytest

from bots_sdk.testing import Position, every_position


@pytest.fixture
def position() -> Callable[..., Position]:
    """Begin a match: `position("basari", seats=4, seed="9")`."""
    return Position.start


def in_every_position(game: str, seats: int | None = None) -> pytest.MarkDecorator:
    """Run a test with `position` in every position in which the league checks an upload.

    @in_every_position("basari")
    def test_my_bot_answers(position):
        position.ask(MyBot)
    """
    positions = every_position(game, seats)
    names = [f"{number}, {one.decision}" for number, one in enumerate(positions)]
    return pytest.mark.parametrize("position", positions, ids=names)
