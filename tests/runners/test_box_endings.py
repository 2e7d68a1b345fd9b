"""Every way a process in a box can end, and whose fault each of them is."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from engine.registry import GAMES
from runners.box import launch
from runners.box.kernel import landlock
from runners.box.launch import gather
from runners.box.modes import Mode
from runners.box.verdict import post_mortem
from runners.boxed import boxed_players
from runners.failures import InfrastructureError
from runners.limits import Limits
from runners.match import play
from tests.runners.boxes import FIRST, ask, bot, loaded

needs_landlock = pytest.mark.skipif(
    not landlock.version(), reason="this kernel has no Landlock: this mode is not tested"
)
AFTER_ITS_ANSWER = """
import os, posix, time
WRITE = posix.write

def write_then(descriptor, data):
    sent = WRITE(descriptor, data)
    if descriptor == 3:
        {what}
    return sent
"""
ARM = "posix.write = write_then"


def then(what, *lines):
    """A bot that answers, and then does something while nobody asks it."""
    return bot(*lines, ARM, "return options[0]", before=AFTER_ITS_ANSWER.format(what=what))


BURNER = then("while True: pass")
SLEEPER = bot("import time", "time.sleep(1.5)", "return options[0]")


@pytest.fixture(
    params=[Mode.TEMPLATE, Mode.BWRAP, pytest.param(Mode.LANDLOCK, marks=needs_landlock)],
    autouse=True,
)
def mode(request, monkeypatch):
    monkeypatch.setenv("SANDBOX", request.param)


def wait_until_gone(box):
    deadline = time.monotonic() + 60
    while not box._exited():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_bot_that_dies_at_the_limit_of_the_kernel_while_nobody_asks_is_too_slow(monkeypatch):
    monkeypatch.setattr(launch, "resource_limits", lambda limits: {"RLIMIT_CPU": 1})
    with loaded(BURNER) as box:
        assert ask(box).message == {"i": 1, "move": "a"}
        wait_until_gone(box)
        reply = ask(box, 2, cpu_ms=250)
        assert reply.failure.code == "E302"
        assert "250 ms of computing time" in reply.failure.detail
        assert reply.cpu_ms > 400


def test_a_bot_that_computes_while_another_one_is_asked_is_ended_by_the_referee():
    limits = replace(Limits(), decision_cpu_ms=150)
    with loaded(BURNER, limits) as burner, loaded(SLEEPER) as asked:
        ask(burner)
        question = {"i": 1, "view": {}, "options": ["a"], "news": [], "time_left_ms": 9}
        asked.send(question, 1000, 20_000)
        gather([asked], [burner])
        assert asked.reply.message == {"i": 1, "move": "a"}
        wait_until_gone(burner)
        reply = ask(burner, 2)
        assert reply.failure.code == "E302"
        assert "while nobody asked it" in reply.failure.detail
        assert 150 < reply.cpu_ms < asked.reply.wall_ms


def test_in_a_match_it_forfeits_and_the_other_one_finishes():
    limits = replace(Limits(), decision_cpu_ms=150, decision_wall_ms=20_000, bank_wall_ms=60_000)
    once = bot(
        "import time",
        "if not hasattr(self, 'slept'): self.slept = time.sleep(1.5)",
        "return options[0]",
    )
    with boxed_players([BURNER, once], "7", limits) as players:
        options = {"max_turns_per_seat": 2, "dealer": 1}
        played = play(GAMES["edelsteinsuche"], players, "7", options=options)
    assert [(fault.seat, fault.code) for fault in played.faults] == [(0, "E302")]


def test_an_idle_bot_that_rests_is_left_alone():
    with loaded(FIRST) as idle, loaded(SLEEPER) as asked:
        ask(idle)
        question = {"i": 1, "view": {}, "options": ["a"], "news": [], "time_left_ms": 9}
        asked.send(question, 1000, 20_000)
        gather([asked], [idle])
        assert ask(idle, 2).message == {"i": 2, "move": "a"}


def test_the_time_of_an_answer_is_charged_though_its_process_is_gone():
    burn = ("end = time.process_time() + 0.2", "while time.process_time() < end: pass")
    with loaded(then("os._exit(5)", *burn)) as box:
        question = {"i": 1, "view": {}, "options": ["a"], "news": [], "time_left_ms": 9}
        box.send(question, 2000, 20_000)
        wait_until_gone(box)
        gather([box])
        assert box.reply.message == {"i": 1, "move": "a"}
        assert box.reply.cpu_ms >= 190
        reply = ask(box, 2)
        assert (reply.failure.code, "exit status 5" in reply.failure.detail) == ("E308", True)


def test_a_bot_that_is_killed_while_it_rests_is_our_failure():
    with loaded(FIRST) as box:
        ask(box)
        os.kill(box._pid, signal.SIGKILL)
        wait_until_gone(box)
        with pytest.raises(InfrastructureError, match="killed from outside"):
            ask(box, 2)


def test_a_bot_that_does_not_take_a_large_question_is_too_slow():
    with loaded(then("time.sleep(60)")) as box:
        ask(box)
        large = {"i": 2, "view": {"x": "y" * 10**6}, "options": [], "news": [], "time_left_ms": 9}
        box.send(large, 1000, 300)
        assert box.reply.failure.code == "E302"


REFEREE = """
from pathlib import Path
from tests.hostile.judge import HERE, PATIENT, faults_of, match
ballast = bytearray({ballast_mib} << 20)
source = (HERE / "{bot}.py").read_text()
print(faults_of(match([source, source], PATIENT), 0)[0].code)
"""


@pytest.mark.parametrize(
    ("bot_name", "ballast_mib", "code"),
    [
        pytest.param("memory_abort_when_full", 0, "E304", id="no memory"),
        pytest.param("crashed_abort", 0, "E308", id="enough memory"),
        pytest.param("crashed_abort", 300, "E308", id="a referee that is large itself"),
    ],
)
def test_an_abort_is_a_lack_of_memory_only_if_the_bot_used_it(bot_name, ballast_mib, code):
    # In a process of its own: the peak of a large referee hides that of its boxes.
    program = REFEREE.format(bot=bot_name, ballast_mib=ballast_mib)
    judged = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert judged.stdout == f"{code}\n", judged.stderr


def ending(status, cpu_ms=10.0, peak_mib=30.0):
    return post_mortem(
        status, cpu_ms=cpu_ms, max_cpu_ms=250, peak_mib=peak_mib, memory_mib=256
    ).code


@pytest.mark.parametrize(
    ("status", "use", "code"),
    [
        pytest.param(-signal.SIGKILL, {"cpu_ms": 251}, "E302", id="had overrun its time"),
        pytest.param(-signal.SIGSYS, {"cpu_ms": 900}, "E307", id="forbidden stays forbidden"),
        pytest.param(-signal.SIGSEGV, {"peak_mib": 200}, "E304", id="no stack any more"),
        pytest.param(-signal.SIGSEGV, {}, "E308", id="a wild pointer"),
        pytest.param(-signal.SIGABRT, {"peak_mib": 250}, "E304", id="a library gave up"),
        pytest.param(1, {"peak_mib": 250}, "E304", id="no memory to say so"),
        pytest.param(7, {"peak_mib": 250}, "E308", id="left by itself"),
        pytest.param(-signal.SIGXFSZ, {}, "E308", id="flooded its log"),
    ],
)
def test_what_the_account_of_a_process_says(status, use, code):
    assert ending(status, **use) == code


def test_a_kill_that_nothing_explains_is_ours():
    with pytest.raises(InfrastructureError):
        ending(-signal.SIGKILL, peak_mib=255)
