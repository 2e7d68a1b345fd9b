"""Controllers that are killed: neither their templates nor their boxes stay."""

import os
import signal
import subprocess
import sys

import pytest

from runners.box.modes import Mode
from tests.runners.boxes import ROOT
from tests.runners.templates import is_alive, wait_until


@pytest.fixture(autouse=True)
def _forked(monkeypatch):
    monkeypatch.setenv("SANDBOX", Mode.TEMPLATE)


KILLED_CONTROLLERS = """
import ctypes, os, random, signal, sys, time
from runners.box.launch import Box
from runners.box.stage import prepare_stage
from runners.limits import Limits
from tests.runners.boxes import bot
from tests.runners.templates import children, load

PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
QUESTION = {"i": 1, "view": {}, "options": [], "news": [], "time_left_ms": 9}
BURNER = bot("while True: pass")
chance = random.Random(19)
prepare_stage()
reading, writing = os.pipe()

def control():
    boxes = [Box(Limits()) for _ in range(2)]
    for box in boxes:
        load(box, BURNER)
        box.send(QUESTION, 9e9, 9e9)
    os.write(writing, b"x")
    time.sleep(60)

def reap_all(seconds):
    "All that was left is a child of ours now, and has to end by itself."
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.005)
        except ChildProcessError:
            return
    left = children()
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    sys.exit(f"{len(left)} processes are left")

def kill_one(after):
    controller = os.fork()
    if controller == 0:
        try:
            control()
        finally:
            os._exit(1)
    after()
    os.kill(controller, signal.SIGKILL)
    assert os.waitpid(controller, 0)[1] == signal.SIGKILL
    reap_all(10)

started_at = time.monotonic()
for _ in range(3):
    kill_one(lambda: os.read(reading, 1))
seconds = (time.monotonic() - started_at) / 3
for _ in range(20):
    kill_one(lambda: time.sleep(chance.uniform(0, 1.2 * seconds)))
"""


def test_controllers_killed_at_any_time_leave_neither_template_nor_box():
    # A bot that computes notices nothing: only the kernel can end it.
    subprocess.run([sys.executable, "-c", KILLED_CONTROLLERS], cwd=ROOT, check=True)


LEFT_OPEN = """
import os, time
from tests.runners.boxes import bot
from tests.runners.templates import boxes_of, template_pid

BURNER = bot("while True: pass")
with boxes_of(BURNER) as [box]:
    box.send({"i": 1, "view": {}, "options": [], "news": [], "time_left_ms": 9}, 9e9, 9e9)
    child = os.fork()
    if child:
        print(template_pid(), box._pid, child, flush=True)
    time.sleep(60)
"""


def test_they_end_with_their_controller_though_a_fork_of_it_keeps_its_descriptors():
    program = [sys.executable, "-c", LEFT_OPEN]
    controller = subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        template, box, fork = map(int, controller.stdout.readline().split())
        assert all(map(is_alive, (template, box, fork)))
        controller.kill()
        controller.wait()
        assert wait_until(lambda: not is_alive(template) and not is_alive(box))
        assert is_alive(fork)
    finally:
        controller.kill()
        controller.wait()
        controller.stdout.close()
        for pid in filter(is_alive, (template, box, fork)):
            os.kill(pid, signal.SIGKILL)
