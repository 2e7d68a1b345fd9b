"""Settings for all tests."""

from hypothesis import settings

import runners  # noqa: F401  registers the games

# Django reads its settings soon after this file is read.
pytest_plugins = ["tests.stack", "tests.sharing"]

# Coverage slows property tests down unevenly; and a red run must be red for everybody.
settings.register_profile("karat", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("karat")


def pytest_addoption(parser):
    parser.addoption("--rewrite-golden", action="store_true", help="write tests/golden/ anew")
