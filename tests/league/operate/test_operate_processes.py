"""The processes of a league end when they are told to, and none is left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from league.operate import supervisor
from league.operate.supervisor import Child, Supervisor
from tests import programs

STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", sys.argv[1]])
time.sleep(300)
"""


def wait_until(fact, seconds=30):
    until = time.monotonic() + seconds
    while not fact() and time.monotonic() < until:
        time.sleep(0.05)
    return fact()


def processes_with(text, part="cmdline"):
    """The living processes with this text in their command or environment."""
    pids = []
    for entry in Path("/proc").glob("[1-9]*"):
        try:
            dead = " Z " in (entry / "stat").read_text().rpartition(")")[2][:4]
            if not dead and text.encode() in (entry / part).read_bytes():
                pids.append(int(entry.name))
        except OSError:
            continue
    return [pid for pid in pids if pid != os.getpid()]


@pytest.fixture
def handlers():
    """The supervisor changes what this process does at a signal."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_child_that_must_be_killed_takes_along_what_it_started(handlers, tmp_path, monkeypatch):
    monkeypatch.setattr(supervisor, "PATIENCE_SECONDS", 0.5)
    mark = f"mark-{tmp_path.name}-{os.getpid()}"
    child = Child("stubborn", [sys.executable, "-c", STUBBORN, mark])
    watcher = Supervisor([child], lambda _: None)

    def end_when_both_run():
        if wait_until(lambda: len(processes_with(mark)) == 2):
            os.kill(os.getpid(), signal.SIGTERM)

    watcher.run(end_when_both_run)
    assert wait_until(lambda: not processes_with(mark)), "something was left behind"


@pytest.mark.stack
def test_a_killed_control_process_leaves_nothing_behind(home):
    control = home.start("control")
    home.wait("tell(Ladder.objects.count() == 3)")
    os.kill(control.pid, signal.SIGKILL)
    control.wait()
    asking = [int(home.python("tell(os.getpid())"))]
    mark = f"KARAT_VAR={home.folder}\0"
    assert wait_until(lambda: processes_with(mark, "environ") == asking), home.errors()


def test_programs_of_tests_hear_ctrl_c_though_the_tests_ignore_it(handlers):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    waiting = [sys.executable, "-c", "import time; print(1, flush=True); time.sleep(300)"]
    with programs.running(waiting, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as program:
        assert program.stdout.readline() == b"1\n"
        program.send_signal(signal.SIGINT)
        assert program.wait(30) == -signal.SIGINT


def test_programs_of_tests_end_when_the_test_fails(tmp_path):
    mark = f"mark-{tmp_path.name}-{os.getpid()}"

    def fail():
        with programs.running([sys.executable, "-c", STUBBORN, mark]):
            assert wait_until(lambda: len(processes_with(mark)) == 2)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert wait_until(lambda: not processes_with(mark))
