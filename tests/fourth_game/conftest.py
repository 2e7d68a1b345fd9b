"""The fourth game, installed once as an operator would."""

from pathlib import Path

import pytest

from tests.installing import install

PACKAGE = Path(__file__).parent
SLUG = "tidepool"


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    """The environment of a process that finds the game."""
    return install(PACKAGE, tmp_path_factory.mktemp("fourth-game"))
