"""A match stays on one core while its bots answer at once, and nobody is kept there afterwards."""

import os
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from engine.registry import GAMES
from runners.box import shared_core as module
from runners.box.shared_core import shared_core
from runners.boxed import boxed_players
from runners.match import play
from tests.runners.boxes import FIRST, bot

CORES = os.sched_getaffinity(0)
SLEEPY = bot("import time", "time.sleep(0.03)", "return options[0]")
BUSY = "while True: pass"

pytestmark = pytest.mark.skipif(len(CORES) < 2, reason="there is only one core")


@pytest.fixture(autouse=True)
def _nowhere_yet(monkeypatch):
    monkeypatch.setattr(module, "_quiet_core", None)


def cores_during_a_match(source):
    """Where referee and bots may run, after each answer."""
    seen = []
    with boxed_players([source] * 2, "7") as players:
        pids = [0, *(player.box.pid for player in players)]

        def look(*_):
            seen.append({frozenset(os.sched_getaffinity(pid)) for pid in pids})

        for player in players:
            player.witness = look
        play(GAMES["edelsteinsuche"], players, "7", options={"max_turns_per_seat": 3})
    return seen


def test_a_match_of_quick_bots_stays_on_one_core():
    seen = cores_during_a_match(FIRST)
    # A busy machine may let one of them wait for so long that all cores are given back.
    assert len(seen[0]) == 1
    assert len(next(iter(seen[0]))) == 1


def test_the_first_answer_that_takes_a_while_gives_all_cores_back():
    seen = cores_during_a_match(SLEEPY)
    assert seen[-1] == {frozenset(CORES)}


@pytest.mark.parametrize("source", [FIRST, SLEEPY])
def test_the_referee_may_run_everywhere_after_a_match(source):
    cores_during_a_match(source)
    assert os.sched_getaffinity(0) == CORES


def test_a_match_that_ends_by_an_error_gives_all_cores_back():
    with suppress(KeyError), shared_core([os.getpid()]):
        assert len(os.sched_getaffinity(0)) == 1
        raise KeyError
    assert os.sched_getaffinity(0) == CORES


def test_a_box_that_is_gone_keeps_nobody_from_moving():
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    with shared_core([process.pid]) as core:
        assert core.held
        core.release()
        assert os.sched_getaffinity(0) == CORES


def test_nothing_is_kept_anywhere_without_boxes():
    with shared_core([]) as core:
        assert core is None
        assert os.sched_getaffinity(0) == CORES


def test_the_next_match_leaves_a_core_that_others_are_busy_on():
    neighbours = []
    try:
        with shared_core([os.getpid()]):
            core = os.sched_getaffinity(0)
            # They inherit the core.
            neighbours = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(3)]
            deadline = time.monotonic() + 1
            while time.monotonic() < deadline:
                pass
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()
    assert module._quiet_core is None, f"it would go back to {core}"


def test_the_next_match_goes_back_to_a_quiet_core():
    for _ in range(20):
        with shared_core([os.getpid()]):
            core = os.sched_getaffinity(0)
        if {module._quiet_core} == core:
            return
    pytest.fail("no core was quiet for a moment")
