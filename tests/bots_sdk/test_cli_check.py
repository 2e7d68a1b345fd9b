"""`karat check` as an author sees it: what failed, where, why, and how to see it again."""

import json
import shlex

import pytest

from tests.bots_sdk.test_cli import karat
from tests.mistakes.index import GAME, MISTAKES

MISTAKE = {mistake.name: mistake for mistake in MISTAKES}


@pytest.fixture
def check(tmp_path):
    def run(name, *options, file="my_bot.py"):
        (tmp_path / file).write_text(MISTAKE[name].source, encoding="utf-8")
        return karat("check", file, *options, cwd=tmp_path)

    return run


def test_a_failed_answer_is_shown_with_file_line_method_view_reason_and_fix(check):
    done = check("illegal_move")
    assert done.returncode == 1
    shown = done.stdout.split("\nno  6 ")[1].split("\n")
    assert shown[:3] == [
        "E301 Illegal answer",
        "my_bot.py:5",
        "5 |     def choose_action(self, view, options):",
    ]
    assert "`choose_action` returned `diamonds`" in shown[3]
    assert shown[4].startswith("Seat A saw:  phase=1, round=1, ")
    assert "Return one of the 3 options" in shown[5]
    assert shown[6] == f"Reproduce it:  karat check my_bot.py --game {GAME}"


@pytest.mark.parametrize("file", ["my_bot.py", "my bot.py"])
def test_the_command_that_is_printed_shows_the_same_again(check, file, tmp_path):
    done = check("exception_at_turn_20", "--seed", "5f0c2a9d", file=file)
    command = done.stdout.split("Reproduce it:  karat ")[1]
    assert "--seed 5f0c2a9d" in command
    again = karat(*shlex.split(command), cwd=tmp_path)
    assert again.stdout.split("\nno  6 ")[1] == done.stdout.split("\nno  6 ")[1]
    assert f'  File "{file}", line 10, in decide\n' in done.stdout


def test_a_step_that_only_reads_needs_no_command(check):
    done = check("two_classes")
    assert done.returncode == 1
    assert "Reproduce it" not in done.stdout


@pytest.mark.parametrize("name", ["print_flood", "misspelt_method"])
def test_a_notice_follows_its_step_and_the_bot_is_ready(check, name):
    done = check(name)
    assert done.returncode == 0
    assert f"    Notice: {MISTAKE[name].code} " in done.stdout
    assert done.stdout.endswith("Ready to upload:  karat push my_bot.py\n")


def test_programs_read_the_question_and_the_notices(check):
    failed = json.loads(check("returns_none", "--json").stdout)["steps"][-1]
    assert failed["asked"]["method"] == "choose_action"
    assert failed["asked"]["options"] == ["money", "event", "gems"]
    assert failed["game"] == GAME
    steps = json.loads(check("misspelt_method", "--json").stdout)["steps"]
    assert [notice["code"] for step in steps for notice in step["notices"]] == ["E108"]
