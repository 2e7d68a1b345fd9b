"""Bots in this process that take too long: cut off, blamed or only reported, never waited for."""

import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path
from threading import Thread

import pytest

from engine.record.verify import verify
from engine.registry import GAMES
from runners.limits import DEFAULT
from runners.local import LocalPlayer, load
from runners.match import play
from runners.players import FallbackPlayer
from runners.prints import Prints, Screen
from tests.runners.boxes import bot

ROOT = Path(__file__).parents[2]
HASTY = replace(DEFAULT, decision_wall_ms=300, load_wall_ms=300, decision_cpu_ms=50, load_cpu_ms=50)
BURN = "import time; end = time.thread_time() + 0.03"
BURNING = bot(BURN, "while time.thread_time() < end: pass", "return options[0]")
DEFIANT = bot(
    "while True:",
    "    try:",
    # Python 3.11 takes a loop that begins a block for a part of what is before it.
    "        x = 0",
    "        while True: x += 1",
    "    except BaseException: pass",
)


def played(source, limits=HASTY, **how):
    table = [LocalPlayer(source, "1", limits, **how), *[FallbackPlayer("")] * 2]
    return play(GAMES["basari"], table, "1", recorded=True)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["while True: pass"], id="computes"),
        pytest.param(["import time", "time.sleep(600)"], id="sleeps"),
        pytest.param(
            ["import threading", "lock = threading.Lock()", "lock.acquire()", "lock.acquire()"],
            id="waits",
        ),
        pytest.param(
            ["while True:", "    try: 1 / 0", "    except Exception: pass"], id="swallows"
        ),
        pytest.param(["try:", "    while True: pass", "finally: raise ValueError"], id="changes"),
        pytest.param(
            ["try:", "    while True: pass", "except BaseException: return options[0]"],
            id="answers after all",
        ),
    ],
)
def test_a_decision_without_an_end_is_cut_off_and_forfeits(lines):
    result = played(bot(*lines))
    (fault,) = result.faults
    assert (fault.code, fault.detail) == ("E302", "It did not answer within 0.3 s.")
    assert result.forfeits == [0]
    verify(result.record)


def test_where_a_bot_was_cut_off_is_shown_without_our_own_frames(tmp_path):
    path = tmp_path / "my_bot.py"
    path.write_text(bot("while True:", "    x = 1"))
    lines = played(load(path)).faults[0].traceback.splitlines()
    assert lines[0] == "Where it was when its time was up (most recent call last):"
    assert lines[1].startswith(f'  File "{path}", line ')
    assert len(lines) == 3


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("while True: pass\n" + bot("return 1"), id="in the file"),
        pytest.param(
            bot("return 1") + "    def __init__(self):\n        while True: pass\n",
            id="in the class",
        ),
    ],
)
def test_a_file_that_never_ends_loading_does_not_start(source):
    result = played(source)
    assert [(fault.code, fault.step, fault.detail) for fault in result.faults] == [
        ("E201", None, "The bot does not start. It did not answer within 0.3 s.")
    ]
    assert "while True: pass" in result.faults[0].traceback


def test_the_next_match_of_the_process_is_played_as_if_nothing_had_happened():
    played(bot("while True: pass"))
    assert played(bot("return options[0]")).faults == []


def test_a_bot_is_cut_off_in_any_thread():
    results = []
    thread = Thread(target=lambda: results.append(played(bot("while True: pass"))))
    thread.start()
    thread.join(60)
    assert [fault.code for fault in results[0].faults] == ["E302"]


def test_a_slow_answer_counts_and_is_reported_as_what_a_league_would_do():
    limits = replace(DEFAULT, decision_cpu_ms=20, bank_cpu_ms=70)
    slow, quick = played(BURNING, limits), played(bot("return options[0]"))
    assert slow.faults == []
    assert slow.record["digest"] == quick.record["digest"]
    first = slow.notices[0]
    assert first.code == "E302"
    assert first.step is not None
    assert first.detail.startswith("The decision took 3")
    assert first.detail.endswith("; the league's limit is 20 ms: there it forfeits here.")
    whole = [notice for notice in slow.notices if "limit for a match" in notice.detail]
    assert len(whole) == 1
    assert len(slow.cpu_ms[0]) == len(slow.thought_ms[0])


def test_slow_loading_is_reported():
    source = f"{BURN}\nwhile time.thread_time() < end: pass\n" + bot("return options[0]")
    result = played(source, replace(DEFAULT, load_cpu_ms=20))
    assert result.faults == []
    (notice,) = result.notices
    assert (notice.code, notice.step) == ("E201", None)
    assert notice.detail.endswith("the league's limit is 20 ms: there the bot does not start.")


def test_what_a_bot_prints_is_shown_and_kept_up_to_the_limit(capsys):
    screen = StringIO()
    chatty = bot("import sys", "print('x' * 99)", "sys.stderr.write('!\\n')", "return options[0]")
    limits = replace(DEFAULT, log_kib=1)
    result = played(chatty, limits, prints=Prints(Screen(screen, 4096), 1024))
    assert capsys.readouterr() == ("", "")
    assert result.logs[0].decode().startswith("x" * 99 + "\n!\n")
    assert len(result.logs[0]) == 1024
    assert screen.getvalue().startswith(result.logs[0].decode()[:1000])
    assert [notice.code for notice in result.notices] == ["E305"]
    assert result.marks[0][0][1] == 102


def test_a_screen_is_not_flooded_by_many_matches():
    screen = StringIO()
    shared = Screen(screen, 2000)
    for _ in range(3):
        played(bot("print('x' * 99)", "return options[0]"), prints=Prints(shared, 1500))
    assert len(screen.getvalue()) < 2200
    assert screen.getvalue().count("is not shown") == 1


ENDING = """
import os, sys
from dataclasses import replace
from engine.registry import GAMES
from runners import watchdog
from runners.limits import DEFAULT
from runners.local import LocalPlayer
from runners.match import play
from runners.players import FallbackPlayer

def end(frame):
    print("it does not stop, line", frame.f_lineno, file=sys.stderr, flush=True)
    os._exit(7)

watchdog.LAST_RESORT_SECONDS = 2.0
limits = replace(DEFAULT, decision_wall_ms=300, decision_cpu_ms=50)
with watchdog.end_process_on_defiance(end):
    table = [LocalPlayer(sys.argv[1], "1", limits), *[FallbackPlayer("")] * 2]
    print(len(play(GAMES["basari"], table, "1").faults), "faults")
"""


def ended(source, **how):
    command = [sys.executable, "-c", ENDING, source]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60, **how
    )


def test_a_bot_that_catches_everything_ends_the_process_with_words():
    program = ended(DEFIANT)
    assert program.returncode == 7
    assert program.stderr.startswith("it does not stop, line ")


def test_a_bot_that_holds_the_interpreter_itself_ends_the_process_with_a_traceback():
    program = ended(bot("return sum(itertools.count())", before="import itertools"))
    assert program.returncode == 1
    assert "line 5 in decide" in program.stderr


def test_nobody_is_cut_off_while_the_author_looks_around_in_a_debugger():
    asking = bot("if not hasattr(self, 'seen'):", "    self.seen = 1", "    breakpoint()")
    source = asking + "        return options[0]\n"
    command = [sys.executable, "-c", ENDING, source]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        with pytest.raises(subprocess.TimeoutExpired):
            program.wait(3)
        shown, _ = program.communicate("c\n", timeout=60)
    assert program.returncode == 0
    assert shown.endswith("0 faults\n")
