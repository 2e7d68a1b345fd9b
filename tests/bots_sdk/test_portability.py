"""What works without boxes needs nothing of Unix: tried without its modules and functions.

It is not a test on macOS or Windows; it only shows that nothing of Unix is asked for.
"""

import json
import os
import subprocess

import pytest

from tests.bots_sdk.test_cli import KARAT, ROOT

MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog")
FUNCTIONS = {
    "signal": ("setitimer", "pthread_sigmask", "pidfd_send_signal", "SIGXCPU", "SIGBUS", "SIGALRM"),
    "os": ("geteuid", "getuid", "memfd_create", "sched_getaffinity", "pidfd_open", "killpg"),
    "select": ("poll",),
    "time": ("clock_gettime",),
}
ELSEWHERE = f"""
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in {MODULES!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

for name in {MODULES!r}:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Missing())
for module, names in {FUNCTIONS!r}.items():
    for name in names:
        delattr(__import__(module), name)
"""


@pytest.fixture
def elsewhere(tmp_path):
    """Run the command where a system without these parts of Unix is imitated."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(ELSEWHERE, encoding="utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    path = os.pathsep.join([str(site), str(ROOT)])

    def run(*arguments, status=0):
        done = subprocess.run(
            [*KARAT, *map(str, arguments)],
            cwd=folder,
            env={"PYTHONPATH": path, "HOME": str(tmp_path), "PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == status, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    run.folder = folder
    return run


def test_an_author_writes_plays_and_compares_bots(elsewhere):
    assert "Next:  karat play my_bot.py" in elsewhere("new", "my_bot.py").stdout
    assert "Result:" in elsewhere("play", "my_bot.py", "--seed", 7).stdout
    assert "records are correct" in elsewhere("verify", "my_bot-7.json").stdout
    told = elsewhere("watch", "my_bot-7.json", "--text").stdout.splitlines()
    assert len(told) > 20
    bots = "my_bot.py,greedy,random"
    arena = elsewhere("arena", "edel-stein-reich", "--bots", bots, "--deals", 2, "--jobs", 2)
    assert "Next:  karat duel" in arena.stdout
    duel = elsewhere("duel", "my_bot.py", "my_bot.py", "--deals", 2, "--jobs", 2)
    assert "No difference found" in duel.stdout


def test_a_decision_is_asked_again(elsewhere):
    elsewhere("new", "my_bot.py", "--game", "edelsteinsuche")
    elsewhere(
        *("play", "edelsteinsuche", "--bots", "my_bot.py,random", "--seed", 7),
        *("--record", "x.json"),
    )
    record = json.loads((elsewhere.folder / "x.json").read_text(encoding="utf-8"))
    step = next(s["i"] for s in record["steps"] if s.get("seat") == 0 and not s["forced"])
    assert "answers:" in elsewhere("rerun", "x.json", "--step", step, "my_bot.py").stdout


def test_a_check_reads_the_file_and_says_why_it_does_not_run_it(elsewhere):
    elsewhere("new", "my_bot.py")
    checked = elsewhere("check", "my_bot.py", status=2)
    assert checked.stdout.splitlines()[-1].startswith("ok  4 imports allowed")
    assert checked.stderr.startswith("Boxes need Linux. Use a container or, on Windows, WSL")
    (elsewhere.folder / "my_bot.py").write_text("import\n", encoding="utf-8")
    assert "E101" in elsewhere("check", "my_bot.py", status=1).stdout


def test_boxed_play_is_refused_with_a_sentence(elsewhere):
    elsewhere("new", "my_bot.py")
    boxed = elsewhere("play", "my_bot.py", "--boxed", status=2)
    assert boxed.stderr.startswith("Boxes need Linux.")
    assert boxed.stderr.count("\n") == 1
    examined = elsewhere("doctor", status=1)
    assert "Boxes need Linux." in examined.stdout
    assert "Without boxes" in examined.stdout.splitlines()[-1]
