"""Settings for all tests."""

import pytest
from hypothesis import settings

import runners  # noqa: F401  registers the games
from runners.box import modes

# Django reads its settings soon after this file is read.
pytest_plugins = ["tests.stack", "tests.sharing"]

# Coverage slows property tests down unevenly; and a red run must be red for everybody.
settings.register_profile("karat", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("karat")


@pytest.fixture(autouse=True)
def _forget_the_mode_of_boxes():
    """Let no test choose what the boxes of the next one are made of."""
    yield
    modes.use_mode(None)


def pytest_addoption(parser):
    parser.addoption("--rewrite-golden", action="store_true", help="write tests/golden/ anew")
