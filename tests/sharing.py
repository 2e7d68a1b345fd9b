"""How tests are shared out between processes: what was set up for a file serves all its tests."""

import pytest
from xdist.scheduler import LoadScopeScheduling

# One test after the other takes its time here, and nothing is set up for a whole file.
ONE_BY_ONE = ("tests/hostile/", "tests/runners/", "tests/league/workers/test_killed_workers.py")

# What takes longest is begun first, so that no process is left alone with it at the end.
LONGEST = ("tests/test_chaos.py", "tests/test_story.py", "tests/browser/")


class Sharing(LoadScopeScheduling):
    """A file goes to one process, and where each test stands alone, a test."""

    def _split_scope(self, nodeid):
        return nodeid if nodeid.startswith(ONE_BY_ONE) else nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Used for every run in several processes."""
    return Sharing(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """The order in which files are handed out."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
