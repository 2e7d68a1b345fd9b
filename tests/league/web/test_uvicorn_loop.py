"""A web server that nobody asks sleeps, and is there at once when it has to answer or to stop."""

import re
import signal
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.league.home import free_port

pytestmark = pytest.mark.stack


def wake_ups(process):
    """How often the main thread went to sleep."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", status, re.MULTILINE)[1])


def date_of_answer(address):
    with urlopen(address) as answer:
        return answer.headers["Date"]


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_an_idle_server_wakes_up_once_a_second_and_stops_when_it_is_told_to(home, ending):
    port = free_port()
    web = home.start_web(port)
    address = f"http://127.0.0.1:{port}/healthz"
    home.wait_for(address)
    first = date_of_answer(address)
    time.sleep(1)
    before = wake_ups(web)
    time.sleep(4)
    assert wake_ups(web) - before < 12
    assert date_of_answer(address) != first
    begun = time.monotonic()
    web.send_signal(ending)
    web.wait(20)
    assert time.monotonic() - begun < 0.9
