"""`karat rerun` finds out by itself which decision is meant, and says what to add if it cannot."""

import json

import pytest

from tests.bots_sdk.test_cli import karat

WRITTEN = """
from bots_sdk import Bot

class MyBot(Bot):
    asked = 0

    def decide(self, view, options):
        self.asked += 1
        {line}
        return options[0]
"""
FAILING = WRITTEN.format(line="assert self.asked != 3, 'the third'")
GOOD = WRITTEN.format(line="self.note(len(options))")
ENDLESS = WRITTEN.format(line="while True: pass")


@pytest.fixture
def folder(tmp_path):
    for name, source in (
        ("failing", FAILING),
        ("good", GOOD),
        ("MyBot", GOOD),
        ("stranger", GOOD.replace("MyBot", "Stranger")),
        ("endless", ENDLESS),
        ("broken", f"1 / 0\n{GOOD}"),
    ):
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    for record, bots in (("x", "good.py,failing.py,good.py"), ("y", "random,MyBot.py,random")):
        names = ("play", "basari", "--bots", bots, "--seed", 1)
        karat(*names, "--record", f"{record}.json", cwd=tmp_path)
    return tmp_path


def record_of(folder, name="x"):
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


def choices(record):
    return [step["i"] for step in record["steps"] if step["t"] == "choose"]


def asked(folder, *arguments):
    answer = karat("rerun", *arguments, "--json", cwd=folder)
    return json.loads(answer.stdout) if answer.stdout else answer.stderr


def test_without_a_step_the_first_fault_of_the_bot_is_meant(folder):
    fault = record_of(folder)["faults"][0]
    answer = asked(folder, "x.json", "failing.py")
    assert (answer["step"], answer["seat"], answer["code"]) == (fault["step"], 1, "E303")


def test_without_a_fault_it_says_where_the_bot_was_asked(folder):
    answer = karat("rerun", "y.json", "MyBot.py", cwd=folder)
    assert answer.returncode == 2
    first = choices(record_of(folder, "y"))[0]
    assert answer.stderr.startswith("B MyBot had no fault. It was asked at steps ")
    assert answer.stderr.endswith(f"add --step {first}.\n")


@pytest.mark.parametrize("file", ["MyBot.py", "good.py"])
def test_the_seat_is_the_one_named_like_the_file_or_its_class(folder, file):
    step = choices(record_of(folder, "y"))[0]
    assert asked(folder, "y.json", file, "--step", step)["seat"] == 1


def test_a_seat_that_nobody_can_know_is_asked_for_with_an_example(folder):
    step = choices(record_of(folder))[0]
    assert asked(folder, "x.json", "good.py", "--step", step) == (
        f"Seats A and C were asked at step {step}; add --seat A.\n"
    )
    assert asked(folder, "x.json", "stranger.py", "--step", step) == (
        f"Seats A, B and C were asked at step {step}; add --seat A.\n"
    )
    assert asked(folder, "x.json", "good.py") == "The bot may be A good, C good; add --seat A.\n"
    assert asked(folder, "x.json", "good.py", "--step", step, "--seat", "c")["seat"] == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("good.py --step 99999", "The match has steps 0 to "),
        ("good.py --step 0", "Nobody was asked at step 0: start. Decisions close by: steps "),
        ("good.py --seat Q", "The match has seats A, B and C, not Q."),
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_way_on(folder, arguments, sentence):
    answer = karat("rerun", "x.json", *arguments.split(), cwd=folder)
    assert answer.returncode == 2
    assert sentence in answer.stderr


def test_the_view_of_the_bot_can_be_read(folder):
    step = choices(record_of(folder, "y"))[0]
    arguments = "y.json", "MyBot.py", "--step", step, "--view"
    shown = karat("rerun", *arguments, cwd=folder)
    assert shown.returncode == 0
    lines = shown.stdout.splitlines()
    assert lines[1] == "The bot saw:"
    assert '  decision: "CHOOSE_ACTION"' in lines
    assert '    [0] {"i": 0, "t": "start"' in shown.stdout
    assert "Options: 3 (workers, points, gems)" in lines
    assert lines[-1] == "Next:  karat check MyBot.py"
    answer = asked(folder, *arguments)
    assert answer["view"]["decision"] == "CHOOSE_ACTION"
    assert answer["view"]["news"][0]["t"] == "start"
    assert answer["moves"] == ["workers", "points", "gems"]
    assert "view" not in asked(folder, *arguments[:-1])


def test_a_bot_that_never_answers_is_cut_off_where_it_first_does_not(folder):
    first, *_, last = choices(record_of(folder, "y"))
    shown = karat("rerun", "y.json", "endless.py", "--seat", "B", "--step", last, cwd=folder)
    assert shown.returncode == 1
    assert f"Step {first}, CHOOSE_ACTION, asked of B MyBot" in shown.stdout
    assert f"It does not come to step {last}: it fails for good before." in shown.stdout
    assert "E302 Too slow" in shown.stdout
    assert '  File "endless.py", line 9, in decide' in shown.stdout
    assert shown.stdout.splitlines()[-1].startswith("Change the file and try again:  karat rerun ")


def test_a_bot_that_does_not_start_is_told_in_words_and_in_json(folder):
    step = choices(record_of(folder, "y"))[0]
    arguments = "rerun", "y.json", "broken.py", "--seat", "B", "--step", step
    shown = karat(*arguments, cwd=folder)
    assert shown.returncode == 1
    assert "E201 The bot does not start" in shown.stdout
    assert "ZeroDivisionError" in shown.stdout
    as_json = karat(*arguments, "--json", cwd=folder)
    assert as_json.returncode == 1
    assert json.loads(as_json.stdout)["code"] == "E201"
