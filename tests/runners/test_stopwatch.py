"""A busy host does not use up the time of a match; a ceiling holds all the same."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest

from engine.registry import GAMES
from runners.boxed import boxed_players
from runners.failures import InfrastructureError
from runners.limits import Limits
from runners.match import play
from runners.stopwatch import Stopwatch, own_delay_seconds
from tests.runners.boxes import FIRST, bot

THINKER = bot(
    "from time import process_time as t",
    "end = t() + 0.05",
    "while t() < end: pass",
    "return options[0]",
)
LIMITS = replace(Limits(), decision_cpu_ms=2000, decision_wall_ms=60_000)


@contextmanager
def one_busy_core(rivals=6):
    """Everything started here shares one core with as many who never stop computing."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    command = [sys.executable, "-S", "-c", "print(flush=True)\nwhile True: pass"]
    burners = [
        subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE)
        for _ in range(rivals)
    ]
    try:
        for burner in burners:
            burner.stdout.readline()
        yield
    finally:
        os.sched_setaffinity(0, cores)
        for burner in burners:
            burner.kill()
            burner.communicate()


def played(sources):
    begun = time.monotonic()
    with boxed_players(sources, "7", LIMITS) as players:
        # Boxes are where their template is, and that may have been started by another test.
        for player in players:
            os.sched_setaffinity(player.box.pid, os.sched_getaffinity(0))
        options = {"max_turns_per_seat": 2, "dealer": 1}
        match = play(GAMES["edelsteinsuche"], players, "7", options=options)
    return match, time.monotonic() - begun


def test_a_busy_host_does_not_void_an_honest_match(monkeypatch):
    seconds = 1.2
    monkeypatch.setattr(Limits, "match_seconds", lambda self, seats: seconds)
    monkeypatch.setattr(Limits, "max_match_seconds", lambda self, seats: 120.0)
    with one_busy_core():
        match, elapsed = played([THINKER, THINKER])
    assert match.faults == []
    assert elapsed > seconds


def test_no_match_is_longer_than_the_ceiling_however_busy_the_host(monkeypatch):
    monkeypatch.setattr(Limits, "match_seconds", lambda self, seats: 0.0)
    monkeypatch.setattr(Limits, "max_match_seconds", lambda self, seats: 0.0)
    with pytest.raises(InfrastructureError, match="took longer"):
        played([FIRST, FIRST])


def test_what_others_waited_for_a_core_is_not_counted():
    watch = Stopwatch(0.01, 60.0)
    time.sleep(0.05)
    assert watch.over()
    watch.excuse(30_000)
    assert not watch.over()
    assert 25 < watch.left() < 30.1


def test_the_ceiling_knows_no_excuse():
    watch = Stopwatch(0.01, 0.02)
    watch.excuse(60_000)
    assert 0 < watch.left() <= 0.02
    time.sleep(0.05)
    assert watch.over()


def test_what_this_thread_waits_for_a_core_is_known():
    with one_busy_core(3):
        before, begun = own_delay_seconds(), time.thread_time()
        while time.thread_time() - begun < 0.1:
            pass
        assert own_delay_seconds() - before > 0.05
