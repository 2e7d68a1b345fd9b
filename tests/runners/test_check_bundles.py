"""A bundle is checked like a single file, and what fails is told with its file."""

from io import BytesIO

import numpy as np
import pytest

from engine.registry import GAMES
from runners.bundles.bundle import Bundle
from runners.bundles.limits import BundleLimits
from runners.bundles.pack import pack
from runners.limits import DEFAULT
from runners.match import Fault
from runners.upload.check import check
from runners.upload.fault_values import fault_values
from runners.upload.source import read_upload
from runners.upload.traceback_lines import OwnLine, read
from tests.runners.bundles.archives import archive, member

GAME = GAMES["basari"]
ENTRY = """\
from bots_sdk.games.basari import BasariBot
from .policy.rule import choose
import numpy as np


class Mine(BasariBot):
    def __init__(self):
        self.weights = np.load(self.data_path / "data" / "w.npy", mmap_mode="r")

    def choose_action(self, view, options):
        return choose(self.weights, options)
"""
RULE = """\
def choose(weights, options):
    return options[int(weights[0]) % len(options)]
"""


def as_npy(array):
    buffer = BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def bundle(rule=RULE, entry=ENTRY, **more):
    files = {"bot.py": entry, "policy/rule.py": rule} | {f"{name}.py": more[name] for name in more}
    data = {"data/w.npy": as_npy(np.arange(300_000)), "README.md": b"How it was trained"}
    return Bundle({path: text.encode() for path, text in files.items()} | data)


def last_of(data, **options):
    *_, last = check(data, GAME, **options)
    return last


@pytest.mark.parametrize("form", ["a bundle", "a zip", "a compressed zip of a folder"])
def test_a_bundle_passes_all_steps(form):
    one = bundle()
    data = {
        "a bundle": one,
        "a zip": pack(one),
        "a compressed zip of a folder": archive(
            *(member(f"mine/{path}", content) for path, content in one.files.items())
        ),
    }[form]
    steps = list(check(data, GAME))
    assert all(step.ok for step in steps), steps[-1]
    assert [step.name for step in steps][-1] == "match"
    assert steps[0].text == "bundle of 4 files, 2.3 MB: 2 Python, 2 data"
    assert steps[2].text == "Bot class Mine (bot.py, line 6)"
    assert "numpy" in steps[3].text
    assert all(step.file is None for step in steps)


CASES = {
    "a syntax error": (bundle("def f(:\n"), "syntax", "E101", "policy/rule.py", 1, "def f(:"),
    "no bot": (bundle(entry="x = 1\n"), "class", "E102", "bot.py", None, None),
    "a missing module": (
        bundle(f"{RULE}\nfrom .tables import T\n"),
        "imports",
        "E110",
        "policy/rule.py",
        4,
        "from .tables import T",
    ),
    "a forbidden import": (
        bundle(f"import socket\n{RULE}"),
        "imports",
        "E105",
        "policy/rule.py",
        1,
        "import socket",
    ),
    "a module that does not load": (
        bundle(f"{RULE}\n1 / 0\n"),
        "start",
        "E201",
        "policy/rule.py",
        4,
        "1 / 0",
    ),
    "an exception in another file": (
        bundle(RULE.replace("options[int", "options['a'][int")),
        "answers",
        "E303",
        "policy/rule.py",
        2,
        "    return options['a'][int(weights[0]) % len(options)]",
    ),
    "an illegal move": (
        bundle("def choose(weights, options):\n    return 'nonsense'\n"),
        "answers",
        "E301",
        "bot.py",
        10,
        "    def choose_action(self, view, options):",
    ),
    "data that is not there": (
        bundle(entry=ENTRY.replace("w.npy", "v.npy")),
        "start",
        "E201",
        "bot.py",
        8,
        '        self.weights = np.load(self.data_path / "data" / "v.npy", mmap_mode="r")',
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_step_that_fails_names_the_file_the_line_and_shows_it(name):
    data, step, code, file, line, excerpt = CASES[name]
    last = last_of(data)
    assert (last.name, last.message.code) == (step, code)
    assert (last.file, last.line, last.excerpt) == (file, line, excerpt)
    if code != "E301":
        assert f"`{file}`" in last.message.explanation


def test_an_archive_that_cannot_be_opened_is_refused_in_the_first_step():
    last = last_of(archive(member(), member("../b.npy")))
    assert (last.name, last.message.code, last.file) == ("text", "E109", "../b.npy")
    assert last.message.explanation.startswith("`../b.npy`: the path leads out of the bundle")


def test_a_zip_is_opened_with_the_limits_of_the_league():
    last = last_of(pack(bundle()), bundle_limits=BundleLimits(files=3))
    assert "4 files, the limit is 3" in last.message.explanation


def test_what_is_worth_a_notice_is_told_by_the_step_that_sees_it():
    entry = ENTRY.replace("choose_action", "chose_action").replace(
        "import numpy", "import random, a, numpy"
    )
    steps = check(bundle(entry=entry, a="import b\n", b="import a\n", random="x = 1\n"), GAME)
    codes = {step.name: [one.code for one in step.notices] for step in steps}
    assert (codes["class"], codes["imports"]) == (["E108"], ["E111", "E112"])


def test_a_bundle_is_not_checked_for_a_game_it_does_not_play():
    *_, last = check(bundle(), GAMES["edelsteinsuche"])
    assert (last.message.code, last.file, last.line) == ("E107", "bot.py", 6)


TRACEBACK = """\
Traceback (most recent call last):
  File "bot.py", line 9, in decide
    return pick(options)
  File "policy/rule.py", line 2, in pick
    return options['a']
  File "/usr/lib/python3/json.py", line 3, in loads
TypeError: no such option
"""


def test_a_traceback_is_left_in_the_last_file_of_the_bundle():
    error = "TypeError: no such option"
    rule = OwnLine(2, "pick", error, "policy/rule.py", "policy/rule.py")
    assert read(TRACEBACK, "bot.py", ["bot.py", "policy/rule.py"]) == rule
    assert read(TRACEBACK, "bot.py") == OwnLine(9, "decide", error, "bot.py")


def test_a_fault_of_a_match_names_the_other_file_of_a_bundle():
    outline = read_upload(bundle(), DEFAULT).outline
    fault = Fault(0, 1, "E303", "The bot raised TypeError.", TRACEBACK)
    values = fault_values(fault, outline, "bot.py")
    assert (values["module"], values["line"]) == ("policy/rule.py", 2)
