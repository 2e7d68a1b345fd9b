"""The life of a template and of its boxes: many, lost, hung, killed, forked, never there."""

import json
import logging
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager

import pytest

from engine.registry import GAMES
from runners.box import modes, policy, template, walls
from runners.box.kernel.memory_files import log_file
from runners.box.launch import Box, gather
from runners.box.modes import Mode, in_force
from runners.box.pool import Pool
from runners.box.select import choose, select_mode
from runners.box.stage import prepare_stage
from runners.box.walls import Order
from runners.boxed import boxed_players
from runners.failures import InfrastructureError
from runners.limits import Limits
from runners.match import play
from tests.runners.boxes import FIRST, ROOT, ask, bot, descriptors
from tests.runners.templates import (
    boxes_of,
    children,
    descriptors_of,
    forget_strangers,
    is_alive,
    load,
    resident_kib,
    stat_fields,
    status,
    template_pid,
    wait_until,
)

MANY = int(os.environ.get("TEMPLATE_BOXES", "1000"))
"""How many boxes one template has to bring about without growing; 5000 takes half a minute."""
AT_ONCE = 50
SLEEPER = bot("import time", "time.sleep(0.3)", "return 'a'")
QUESTION = {"i": 1, "view": {}, "options": ["a"], "news": [], "time_left_ms": 9}


@pytest.fixture(autouse=True)
def _own_templates(monkeypatch):
    """No template from before, none afterwards, and no mode that a lost one left behind."""
    monkeypatch.setenv("SANDBOX", Mode.TEMPLATE)
    template.close_all()
    modes.use_mode(None)
    forget_strangers()
    yield
    template.close_all()
    modes.use_mode(None)


@pytest.fixture
def warned(caplog):
    """Whether somebody was told that templates are not used any more."""
    caplog.set_level(logging.WARNING)
    return lambda: "boxes are started by bubblewrap from now on" in caplog.text


def end_template(by=signal.SIGKILL):
    """End the template as somebody else would, and wait until it is gone."""
    pid = template_pid()
    os.kill(pid, by)
    assert wait_until(lambda: stat_fields(pid)[0] == ("T" if by == signal.SIGSTOP else "Z"))


def started_by_bubblewrap(box):
    """Whether a box that is ready is no child of ours: bubblewrap keeps it."""
    return int(status(box._pid)["PPid"]) != os.getpid()


def play_short(sources=(FIRST, FIRST)):
    with boxed_players(sources, "7") as players:
        return play(GAMES["edelsteinsuche"], players, "7", options={"max_turns_per_seat": 1})


def use_up(boxes):
    """Have boxes end in different ways, before and after they are ready, with a bot or without."""
    for number, box in enumerate(boxes):
        if number % 5 == 1:
            load(box, FIRST)
        elif number % 5:
            box.wait_ready()
    for box in boxes:
        box.kill()
    for box in boxes:
        box.close()


def test_many_boxes_leave_nothing_in_the_referee_and_in_the_template():
    for _ in range(3):
        use_up([Box(Limits()) for _ in range(AT_ONCE)])
    pid, processes = template_pid(), children()
    before = descriptors(), len(descriptors_of(pid))
    memory = resident_kib("self"), resident_kib(pid)
    for _ in range(MANY // AT_ONCE):
        use_up([Box(Limits()) for _ in range(AT_ONCE)])
    assert template_pid() == pid
    assert children() == processes
    assert (descriptors(), len(descriptors_of(pid))) == before
    assert resident_kib("self") <= memory[0] * 1.1
    assert resident_kib(pid) <= memory[1] * 1.1


def test_two_hundred_boxes_live_and_answer_at_once():
    with boxes_of(*[FIRST] * 200) as boxes:
        assert len({box._pid for box in boxes} & children()) == 200
        for box in boxes:
            box.send(QUESTION, 1000, 20_000)
        gather(boxes)
        assert {str(box.reply.message) for box in boxes} == {"{'i': 1, 'move': 'a'}"}


def test_a_template_killed_before_its_first_order_is_replaced_by_bubblewrap(warned):
    kind = template._kind(Order(prepare_stage(), -1, -1, []))
    template._templates[kind] = template.Template(kind)
    end_template()
    with boxes_of(FIRST) as [box]:
        assert started_by_bubblewrap(box)
        assert ask(box).message["move"] == "a"
    assert warned()
    assert in_force() is Mode.BWRAP
    assert not children()


def test_a_box_whose_order_was_lost_with_the_template_is_replaced_by_bubblewrap(warned):
    Box(Limits()).close()
    end_template(signal.SIGSTOP)
    with Pool(3) as pool:
        end_template()
        with closing(pool.take()) as box:
            assert started_by_bubblewrap(box)
            load(box, FIRST)
    assert warned()
    assert in_force() is Mode.BWRAP
    assert not children()


def test_a_box_outlives_a_template_killed_right_after_the_fork(warned):
    with closing(Box(Limits())) as box:
        box._process.await_birth(time.monotonic() + 20)
        end_template()
        load(box, FIRST)
        assert ask(box).message["move"] == "a"
        with boxes_of(FIRST) as [other]:
            assert started_by_bubblewrap(other)
    assert warned()
    assert not children()


def test_a_template_killed_between_two_boxes_of_a_match_costs_nobody_anything(warned):
    with Pool(0) as pool:
        first = pool.take()
        load(first, FIRST)
        end_template()
        second = pool.take()
        load(second, FIRST)
        assert (started_by_bubblewrap(first), started_by_bubblewrap(second)) == (False, True)
        for box in (first, second):
            box.send(QUESTION, 1000, 20_000)
        gather([first, second])
        for box in (first, second):
            assert box.reply.message["move"] == "a"
            box.close()
    assert warned()
    assert not children()


def test_a_bot_that_thinks_when_the_template_is_killed_answers_and_templates_come_back(warned):
    with boxes_of(SLEEPER) as [box]:
        box.send(QUESTION, 1000, 20_000)
        end_template()
        gather([box])
        assert box.reply.message == {"i": 1, "move": "a"}
    assert not play_short().faults
    assert warned()
    assert in_force() is Mode.BWRAP
    assert select_mode(embedded=False).mode is Mode.TEMPLATE
    with boxes_of(FIRST) as [box]:
        assert not started_by_bubblewrap(box)


@contextmanager
def killed_after(seconds):
    """The first template that comes is killed so long after its start."""
    done = threading.Event()

    def kill():
        while not template._templates and not done.wait(0.0005):
            pass
        for one in list(template._templates.values()):
            done.wait(seconds)
            # It is not waited for before it is missed, so its number is still its own.
            if one._process.returncode is None:
                os.kill(one.pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def test_whenever_a_template_is_killed_the_match_goes_on():
    chance = random.Random(19)
    for _ in range(20):
        with killed_after(chance.uniform(0, 0.25)):
            assert not play_short().faults
        template.close_all()
        modes.use_mode(None)
        assert not children()


def test_a_template_that_hangs_is_ended_and_holds_nobody_up(warned):
    Box(Limits()).close()
    end_template(signal.SIGSTOP)
    pid = template_pid()
    with closing(Box(Limits())) as box:
        with pytest.raises(InfrastructureError, match="did not come up: it said nothing"):
            box.wait_ready(0.3)
        assert pid not in children()
    with boxes_of(FIRST) as [other]:
        assert started_by_bubblewrap(other)
    assert warned()
    assert not children()


def test_a_fork_that_dies_before_its_first_byte_does_not_stay():
    Box(Limits()).close()
    before = children()
    # It cannot say that it was born, so nobody knows its number.
    wire, box_wire = socket.socketpair()
    wire.close()
    log_fd, box_log = log_file()
    template.fork(Order(prepare_stage(), box_wire.fileno(), box_log, ["RLIMIT_CORE=0"]))
    box_wire.close()
    os.close(box_log)
    os.close(log_fd)
    assert wait_until(lambda: children() - before)
    [stillborn] = children() - before
    assert wait_until(lambda: not is_alive(stillborn))
    template.close_all()
    assert not children()


@pytest.fixture
def no_way_in(monkeypatch):
    """A machine on which a template cannot leave the host."""
    machine = policy.this_machine()
    calls = {**machine.calls, "pivot_root": 9999}
    changed = policy.Machine(machine.audit, calls)
    monkeypatch.setattr(policy, "this_machine", lambda: changed)


def test_a_template_that_does_not_come_up_is_replaced_by_bubblewrap(no_way_in, warned, caplog):
    assert not play_short().faults
    assert warned()
    assert "Refused: pivot_root" in caplog.text
    assert in_force() is Mode.BWRAP
    assert not children()


def test_auto_says_why_a_template_does_not_come_up(no_way_in, monkeypatch):
    monkeypatch.delenv("SANDBOX")
    choice = choose(embedded=False)
    assert (choice.mode, choice.held) == (Mode.BWRAP, True)
    assert "Refused: pivot_root" in choice.advice


def test_without_bubblewrap_a_lost_template_is_followed_by_another(monkeypatch, warned):
    Box(Limits()).close()
    end_template()
    monkeypatch.setenv("PATH", "/nonexistent")
    walls._find_program.cache_clear()
    if walls.drop_to():
        # Boxes of root need setpriv, too.
        monkeypatch.setattr(walls, "_find_program", lambda name, _: program_or_refusal(name))
    with pytest.raises(InfrastructureError, match="has ended"):
        Box(Limits())
    with boxes_of(FIRST) as [box]:
        assert ask(box).message["move"] == "a"
    assert in_force() is Mode.TEMPLATE
    assert not warned()


def program_or_refusal(name):
    if name == "bwrap":
        raise policy.NoWall("Boxes need bwrap")
    return f"/usr/bin/{name}"


REFUSALS = {
    "unshare": ("landlock", "Landlock keeps the bots"),
    "landlock_restrict_self": ("bwrap", "a wall cannot be put up: landlock_restrict_self"),
}


@pytest.mark.parametrize("call", REFUSALS)
def test_where_the_kernel_refuses_a_call_auto_takes_the_next_best_walls(call, tmp_path):
    mode, advice = REFUSALS[call]
    profile = {
        "defaultAction": "SCMP_ACT_ALLOW",
        "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"],
        "syscalls": [{"names": [call], "action": "SCMP_ACT_ERRNO", "errnoRet": 1}],
    }
    file = tmp_path / "profile.json"
    file.write_text(json.dumps(profile))
    launch = [sys.executable, "-m", "tests.seccomp_launch", str(file)]
    tried = subprocess.run(
        [*launch, sys.executable, "-W", "error", "-m", "runners.box.select"],
        cwd=ROOT,
        env=os.environ | {"SANDBOX": "auto"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert tried.stdout.startswith(f"mode    {mode}\n"), tried.stdout + tried.stderr
    assert advice in tried.stdout
    assert "BROKEN" not in tried.stdout
    assert not tried.stderr


FORKED_CONTROLLER = """
import os
from runners.box import template
from tests.runners.boxes import FIRST, ask
from tests.runners.templates import boxes_of, children, template_pid

def answers():
    with boxes_of(FIRST, FIRST) as boxes:
        return [ask(box).message["move"] for box in boxes]

assert answers() == ["a", "a"]
first = template_pid()
child = os.fork()
if child == 0:
    assert answers() == ["a", "a"]
    assert template_pid() != first
    assert children() == {template_pid()}
    raise SystemExit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
assert answers() == ["a", "a"]
assert template_pid() == first
assert children() == {first}
"""


def test_a_process_that_forks_uses_a_template_of_its_own():
    program = [sys.executable, "-W", "error", "-c", FORKED_CONTROLLER]
    ran = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
