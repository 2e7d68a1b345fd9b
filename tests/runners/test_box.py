"""A real box: how it starts, what its clocks say, how it ends, and each wall on its own."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from engine.registry import GAMES
from runners.box.launch import Box, gather
from runners.box.modes import Mode
from runners.box.pool import Pool
from runners.failures import InfrastructureError
from runners.limits import Limits
from tests.runners.boxes import FIRST, answer_of, ask, bot, descriptors, loaded


@pytest.fixture
def by_command(monkeypatch):
    """Boxes that are started one by one, not forked from a template."""
    monkeypatch.setenv("SANDBOX", Mode.BWRAP)


def test_a_box_loads_a_bot_and_answers():
    with loaded(FIRST) as box:
        assert box.reply.message == {"loaded": True}
        assert ask(box, 1).message == {"i": 1, "move": "a"}
        assert ask(box, 2, ["x"]).message == {"i": 2, "move": "x"}


def test_the_program_in_the_box_imports_next_to_nothing(by_command):
    reply = answer_of(bot("import sys", "return ' '.join(sys.modules)"))
    modules = set(reply.message["move"].split())
    assert not modules & {"json", "re", "random", "ctypes", "typing", "enum", "os", "numpy"}
    assert {name for name in modules if name.startswith("engine")} == {
        "engine",
        "engine.barter",
        "engine.barter.offers",
    }
    assert "bots_sdk.bot" in modules


def test_a_box_that_never_gets_ready_is_our_failure():
    box = Box(Limits(), program=["-c", "import time; time.sleep(60)"])
    try:
        with pytest.raises(InfrastructureError, match="did not come up"):
            box.wait_ready(0.5)
    finally:
        box.close()


def test_a_box_that_dies_early_is_our_failure_and_says_why():
    box = Box(Limits(), program=["-c", "raise SystemExit('no such luck')"])
    try:
        with pytest.raises(InfrastructureError, match="no such luck"):
            box.wait_ready()
    finally:
        box.close()


def test_a_box_killed_from_outside_is_our_failure():
    with loaded(bot("import time", "time.sleep(9)")) as box:
        question = {"i": 1, "view": {}, "options": [], "news": [], "time_left_ms": 9}
        box.send(question, 1000, 4000)
        box.kill()
        with pytest.raises(InfrastructureError, match="killed from outside"):
            gather([box])


def test_computing_is_stopped_soon_after_its_limit():
    reply = answer_of(bot("while True: pass"), cpu_ms=100)
    assert reply.failure.code == "E302"
    assert "100 ms" in reply.failure.detail
    assert reply.cpu_ms >= 100


def test_sleeping_is_stopped_soon_after_its_limit():
    reply = answer_of(bot("import time", "time.sleep(60)"), wall_ms=300)
    assert reply.failure.code == "E302"
    assert 300 <= reply.wall_ms < 30_000
    assert reply.cpu_ms < reply.wall_ms / 2


def test_an_answer_that_waited_for_us_is_not_late():
    with loaded(FIRST) as box:
        question = {"i": 1, "view": {}, "options": ["a"], "news": [], "time_left_ms": 9}
        box.send(question, 100, 50)
        time.sleep(0.2)
        gather([box])
        assert box.reply.message == {"i": 1, "move": "a"}


def test_boxes_think_at_the_same_time():
    sleeper = bot("import time", "time.sleep(1)", "return 'a'")
    with loaded(sleeper) as one, loaded(sleeper) as two, loaded(sleeper) as three:
        begun = time.monotonic()
        for box in (one, two, three):
            question = {"i": 1, "view": {}, "options": [], "news": [], "time_left_ms": 9}
            box.send(question, 1000, 4000)
        gather([one, two, three])
        together = time.monotonic() - begun
        one_after_the_other = sum(box.reply.wall_ms for box in (one, two, three)) / 1000
        assert together < one_after_the_other / 2


def test_the_log_keeps_what_both_streams_got_in_order():
    source = bot("import sys", "print('one')", "print('two', file=sys.stderr)", "return 'a'")
    with loaded(source) as box:
        ask(box)
        assert box.log() == b"one\ntwo\n"
        assert box.log_size() == 8


def test_a_long_log_is_cut_and_the_bot_goes_on():
    with loaded(bot("print('x' * 10**6)", "return 'a'"), replace(Limits(), log_kib=4)) as box:
        assert ask(box).message == {"i": 1, "move": "a"}
        assert box.log() == b"x" * 4096
        assert box.log_size() > 4096


def test_a_log_that_is_just_full_is_not_cut():
    with loaded(bot("print('x' * 4095)", "return 'a'"), replace(Limits(), log_kib=4)) as box:
        ask(box)
        assert box.log_size() == len(box.log()) == 4096


def test_what_is_printed_survives_a_crash():
    with loaded(bot("print('last words')", "import os", "os._exit(7)")) as box:
        reply = ask(box)
        assert reply.failure.code == "E308"
        assert "exit status 7" in reply.failure.detail
        assert box.log() == b"last words\n"


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("import ctypes", "ctypes.string_at(0)"), "E308"),
        (("import os", "os.close(3)", "import time", "time.sleep(9)"), "E308"),
        (("import ctypes", "ctypes.CDLL(None).ptrace(0, 0, 0, 0)"), "E307"),
        (("import os", "os._exit(159)"), "E308"),
        (("import os", "os.write(3, b'xxxxxxxx')"), "E309"),
    ],
)
def test_every_end_has_its_code(lines, code):
    assert answer_of(bot(*lines)).failure.code == code


def test_hash_order_and_chance_are_the_same_in_every_box():
    source = bot("return f'{list({str(n) for n in range(99)})} {self.rng.random()}'")
    assert answer_of(source).message == answer_of(source).message


@pytest.mark.parametrize(
    "module", ["json", "random", "decimal", "heapq", "dataclasses", "engine.registry"]
)
def test_the_standard_library_and_the_engine_can_be_imported(module):
    assert answer_of(bot(f"import {module}", "return 'a'")).message == {"i": 1, "move": "a"}


def test_the_registry_in_a_box_has_the_same_games():
    lines = ("from engine.registry import GAMES, find", "find('basari')", "return ' '.join(GAMES)")
    assert answer_of(bot(*lines)).message["move"].split() == list(GAMES)


def test_a_bot_pays_only_for_the_game_it_looks_for(by_command):
    lines = ("import sys", "from engine.registry import find", "find('basari')")
    modules = answer_of(bot(*lines, "return ' '.join(sys.modules)")).message["move"].split()
    assert "engine.games.basari" in modules
    assert not {"engine.games.edelsteinsuche", "engine.games.edel_stein_reich"} & set(modules)


@pytest.mark.parametrize("module", ["pip", "pytest", "runners", "bots_sdk.cli", "league", "typer"])
def test_nothing_else_can_be_imported(module):
    reply = answer_of(bot(f"import {module}", "return 'a'"))
    assert reply.message["type"] == "ModuleNotFoundError"


def test_no_path_of_the_host_is_seen_inside():
    walk = "return ' '.join(sorted(os.listdir('/'))) + str(sys.path) + sys.executable + os.__file__"
    reply = answer_of(bot("import os, sys", walk))
    seen = reply.message["move"]
    assert seen.startswith("bot bundles empty karat lib")
    assert os.getcwd() not in seen
    assert "/home" not in seen
    assert "/root" not in seen


def test_a_box_does_not_know_the_name_of_the_host():
    assert answer_of(bot("import os", "return os.uname().nodename")).message["move"] == "box"


def test_a_box_has_four_descriptors_and_is_nobody():
    source = bot(
        "import os",
        "held = []",
        "for fd in range(64):",
        "    try: os.fstat(fd)",
        "    except OSError: continue",
        "    held.append(fd)",
        "return f'{held} {os.getuid()} {os.getpid()} {sorted(os.environ)}'",
    )
    seen = answer_of(source).message["move"]
    assert seen.startswith("[0, 1, 2, 3] 65534 1 ")
    assert "PATH" not in seen.replace("LD_LIBRARY_PATH", "")


def test_a_box_whose_bubblewrap_is_killed_is_our_failure(by_command):
    with loaded(bot("import time", "time.sleep(9)")) as box:
        question = {"i": 1, "view": {}, "options": [], "news": [], "time_left_ms": 9}
        box.send(question, 1000, 4000)
        box._process._process.kill()
        with pytest.raises(InfrastructureError, match="killed from outside"):
            gather([box])


def test_the_pool_gives_out_each_box_once_and_leaves_nothing():
    with Pool(2) as pool:
        taken = [pool.take() for _ in range(3)]
        assert len({box.wire.fileno() for box in taken}) == 3
        for box in taken:
            box.close()
    before = descriptors()
    for _ in range(5):
        with Pool(2) as pool:
            pool.take().close()
            pool.fill()
    assert descriptors() == before


def test_a_box_that_died_in_the_pool_is_replaced():
    with Pool(1) as pool:
        pool._boxes[0].wait_ready()
        pool._boxes[0].kill()
        box = pool.take()
        assert box.start_cpu_ms > 0
        box.close()


def orphans():
    """Every bubblewrap that nobody looks after any more."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue
        if text.startswith("Name:\tbwrap\n") and "\nPPid:\t1\n" in text:
            found.add(status.parent.name)
    return found


def test_a_box_that_is_closed_while_it_starts_leaves_nothing():
    before = orphans()
    for number in range(120):
        box = Box(Limits())
        time.sleep(number % 12 / 2000)
        box.close()
    deadline = time.monotonic() + 10
    while orphans() - before and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not orphans() - before
