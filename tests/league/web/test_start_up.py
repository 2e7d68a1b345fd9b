"""A web server prepares once for all requests."""

import subprocess
import sys

_COUNT = """
import gc, sys
import league.asgi
print(gc.get_freeze_count(), "league.matches.views.match" in sys.modules)
"""


def test_a_server_has_loaded_its_views_and_spares_the_collector_looking_through_them():
    answer = subprocess.run(
        [sys.executable, "-c", _COUNT], check=True, stdout=subprocess.PIPE, text=True
    )
    count, loaded = answer.stdout.split()
    assert int(count) > 50_000
    assert loaded == "True"
