"""Strangers' bots that do not play fair, each in a real box against an honest one (`judge`)."""

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from runners.box.kernel import landlock
from runners.faults import CODES, HARD, SOFT
from tests.hostile.judge import (
    BOTS,
    HERE,
    HONEST,
    LIMITS,
    ROOT,
    VERDICTS,
    check_consequences,
    faults_of,
    head,
    judge,
    match,
)


@cache
def why_no_boxes():
    """Why this machine cannot make boxes at all, or nothing. Any other trouble is a failure."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return "bubblewrap is not installed: apt-get install bubblewrap"
    probe = [bwrap, "--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/"]
    tried = subprocess.run([*probe, "true"], capture_output=True, text=True, check=False)
    if tried.returncode == 0:
        return None
    return f"user namespaces are refused on this machine: {tried.stderr.strip()}"


pytestmark = pytest.mark.skipif(why_no_boxes() is not None, reason=str(why_no_boxes()))


@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.stem)
def test_a_hostile_bot_gets_its_verdict_and_the_other_one_its_game(path):
    judge(path)


def test_every_verdict_is_a_code_of_the_table_and_has_a_bot():
    assert {code for code in VERDICTS.values() if code} == SOFT | HARD <= set(CODES)
    assert {verdict for path in BOTS for verdict in head(path).verdicts} == set(VERDICTS)


GENERATED = {
    "200,000 parentheses": HONEST + "x = " + "(" * 100_000 + ")" * 100_000,
    "90,000 signs": HONEST + "x = " + "-" * 90_000 + "1",
    "400 nested blocks": HONEST + "".join(" " * depth + "if x:\n" for depth in range(400)),
    "nothing": "",
}
"""Too large to be files."""


@pytest.mark.parametrize("source", GENERATED.values(), ids=GENERATED)
def test_a_file_that_breaks_readers_does_not_start(source):
    played = match([source, HONEST])
    assert [fault.code for fault in faults_of(played, 0)] == ["E201"]
    check_consequences(played)
    assert not faults_of(played, 1)


ATTACKERS = [
    "own_fills_channel",
    "denied_kill",
    "denied_ipc",
    "memory_list_growth",
    "own_searches_memory",
    "timeout_ignores_signals",
]


@pytest.mark.parametrize("second", ATTACKERS)
@pytest.mark.parametrize("first", ATTACKERS[:3])
def test_two_bots_that_attack_each_other_get_what_they_get_alone(first, second):
    paths = [HERE / f"{name}.py" for name in (first, second)]
    limits = replace(LIMITS, decision_cpu_ms=2000, decision_wall_ms=4000)
    played = match([path.read_text(encoding="utf-8") for path in paths], limits)
    for seat, path in enumerate(paths):
        faults = faults_of(played, seat)
        verdict = faults[0].code if faults else None
        assert verdict in {VERDICTS[one] for one in head(path).verdicts}
    check_consequences(played)


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def children():
    """The processes below this one, zombies included."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.append(status.parent.name)
    return found


def resident_pages():
    return int(Path("/proc/self/statm").read_text().split()[1])


def test_five_hundred_matches_leave_no_descriptor_no_process_and_no_memory():
    hostile = [
        (HERE / f"{name}.py").read_text(encoding="utf-8")
        for name in (
            "crashed_exit",
            "memory_ten_gigabytes",
            "raised_exception",
            "ok_honest",
            "load_exit",
        )
    ]
    for source in hostile * 10:
        match([source, HONEST], turns=1)
    descriptors_before, children_before = descriptors(), set(children())
    pages_before = resident_pages()
    for source in hostile * 90:
        match([source, HONEST], turns=1)
    assert descriptors() <= descriptors_before
    assert set(children()) <= children_before
    assert resident_pages() <= pages_before * 1.1


CONTROLLER = """
from dataclasses import replace

from tests.hostile.judge import HONEST, LIMITS, match

sleeper = HONEST.replace("return options[0]", "import time; time.sleep(99)")
print("begun", flush=True)
match([sleeper, sleeper], replace(LIMITS, decision_wall_ms=60_000, bank_wall_ms=90_000))
"""


def descendants(pid):
    """All processes below one, at any depth."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(status.parent.name)] = int(fields[1])
    found, level = set(), {pid}
    while level := {child for child, parent in parents.items() if parent in level}:
        found |= level
    return found


def alive(pid):
    """Whether it runs; a zombie that waits for its reaper does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def wait_for(fact, seconds):
    deadline = time.monotonic() + seconds
    while not fact() and time.monotonic() < deadline:
        time.sleep(0.01)
    return fact()


@pytest.mark.parametrize(("mode", "processes"), [("template", 3), ("bwrap", 4), ("landlock", 2)])
def test_a_killed_controller_leaves_no_box(mode, processes):
    if mode == "landlock" and not landlock.version():
        pytest.skip("this kernel has no Landlock: this mode is not tested")
    controller = subprocess.Popen(
        [sys.executable, "-c", CONTROLLER],
        cwd=ROOT,
        env=os.environ | {"SANDBOX": mode},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert controller.stdout.readline() == "begun\n"
        assert wait_for(lambda: len(descendants(controller.pid)) >= processes, 10)
        time.sleep(0.3)
        boxes = descendants(controller.pid)
        assert all(alive(box) for box in boxes)
        controller.send_signal(signal.SIGKILL)
        controller.wait(5)
        assert wait_for(lambda: not any(alive(box) for box in boxes), 1)
    finally:
        controller.kill()
        controller.wait()
        controller.stdout.close()
