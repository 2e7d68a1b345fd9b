"""`karat play` with bots that fail: every mistake is shown with its place, reason and fix."""

import json
from dataclasses import dataclass

import pytest

from bots_sdk.starters import starter
from tests.bots_sdk.test_cli import karat
from tests.mistakes.index import MISTAKES

DEFIANT = """
from bots_sdk import Bot

class Defiant(Bot):
    def decide(self, view, options):
        while True:
            try:
                x = 0
                while True: x += 1
            except BaseException: pass
"""
SLOW = """
import time
from bots_sdk import Bot

class Slow(Bot):
    asked = 0

    def decide(self, view, options):
        self.asked += 1
        end = time.thread_time() + (0.3 if self.asked == 2 else 0)
        while time.thread_time() < end:
            pass
        return options[0]
"""
LATE_LOADER = """
from bots_sdk import Bot

while True:
    pass

class Loader(Bot):
    def decide(self, view, options):
        return options[0]
"""


@dataclass(frozen=True)
class Expected:
    """What `karat play` has to say of a mistake."""

    status: int
    texts: tuple[str, ...]
    on_stderr: bool = False


PLACE = '  File "my_bot.py", line {}, in {}'
NEXT = "Reproduce it:  karat rerun my_bot-7.json --step {} my_bot.py\n"
FALLBACK = "A fallback move was played instead; the third fault of a match forfeits."
EXPECTED = {
    "syntax_error": Expected(
        2, ("E101 Python cannot read the file", "my_bot.py:", " | ", "^", "expected ':'"), True
    ),
    "wrong_class": Expected(
        2, ("E102 No bot class found", "my_bot.py:1", "Change line 1 to `class MyBot(Bot):`"), True
    ),
    "two_classes": Expected(
        2, ("E103 More than one bot class", "my_bot.py:9", "add `BOT = Collector`"), True
    ),
    "forbidden_import": Expected(
        0,
        (
            *("E105 This import is not allowed", "my_bot.py:1", "`import subprocess`", "Allowed: "),
            "A league refuses this file; here it plays.",
        ),
        True,
    ),
    "illegal_move": Expected(
        1,
        (
            *("E301 Illegal answer", "A my_bot, step 3: asked for `CHOOSE_ACTION`"),
            *("`choose_action` returned `diamonds`", PLACE.format(5, "choose_action")),
            *(FALLBACK, "Return one of the 3 options: `money`, `event`, `gems`"),
            *("The same happened 2 more times.", "A my_bot forfeited at step "),
            NEXT.format(3),
        ),
    ),
    "exception_at_turn_20": Expected(
        1,
        (
            *("E303 Your bot raised an exception", "`decide` raised `IndexError: "),
            *(PLACE.format(10, "decide"), "    return options[len(options)]", FALLBACK),
            "Reproduce it:  karat rerun my_bot-7.json --step ",
        ),
    ),
    "returns_none": Expected(
        1,
        (
            *("E306 Nothing useful returned", "`choose_action` returned `None`"),
            *(PLACE.format(5, "choose_action"), "In every branch, return one of", NEXT.format(3)),
        ),
    ),
    "endless_loop": Expected(
        1,
        (
            *("E302 Too slow", "`choose_action` gave no answer within 2 s."),
            *('  File "my_bot.py", line ', ", in choose_action", "Look for a loop"),
            "A my_bot forfeited at step 3; fallback moves finished its game.",
            NEXT.format(3),
        ),
    ),
    "print_flood": Expected(
        0, ("E305 Log cut", "`my_bot.py` printed more than 64 KB", "Use `self.note(")
    ),
    "misspelt_method": Expected(
        0,
        (
            *("E108 A method that nobody calls", "my_bot.py:5", "nobody calls `chose_action`"),
            "Rename it to `choose_action`",
        ),
        True,
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_is_told_with_its_place_its_reason_and_its_fix(mistake, tmp_path):
    (tmp_path / "my_bot.py").write_text(mistake.source, encoding="utf-8")
    played = karat("play", "my_bot.py", "--seed", 7, cwd=tmp_path)
    expected = EXPECTED[mistake.name]
    assert played.returncode == expected.status
    message = played.stderr if expected.on_stderr else played.stdout
    for text in expected.texts:
        assert text in message
    assert "the league" not in message.lower()
    assert str(tmp_path) not in message


def in_folder(folder, **sources):
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")


def flooding():
    return next(mistake for mistake in MISTAKES if mistake.name == "print_flood").source


def test_prints_go_to_standard_error_and_end_where_a_league_cuts_them(tmp_path):
    in_folder(tmp_path, my_bot=flooding())
    played = karat("play", "my_bot.py", "--seed", 7, "--json", "--logs", "logs", cwd=tmp_path)
    assert json.loads(played.stdout)["notices"][0]["code"] == "E305"
    assert len(played.stderr) < 70_000
    assert played.stderr.count("is not shown") == 1
    (log,) = (tmp_path / "logs").iterdir()
    assert log.read_text().startswith("--- step 3\nWhich one? ['money', 'event', 'gems']\n")


def test_faults_that_are_alike_are_told_once_and_counted(tmp_path):
    raising = (
        starter("basari", "Raising") + "\n    def decide(self, view, options):\n        1 / 0\n"
    )
    in_folder(tmp_path, raising=raising)
    arguments = "play", "basari", "--bots", "raising.py,random,random", "--seed", 7
    shown = karat(*arguments, "--games", 4, "--record", "out.jsonl", cwd=tmp_path)
    assert shown.returncode == 1
    assert shown.stdout.count("ZeroDivisionError") == 2
    assert shown.stdout.count("E303") == 1
    assert "The same happened 11 more times." in shown.stdout
    assert "A raising forfeited 4 of 4 matches, first match 1 at step " in shown.stdout
    command = shown.stdout.splitlines()[-1].removeprefix("Reproduce it:  karat ")
    assert command.startswith("rerun out.jsonl:1 --step ")
    again = karat(*command.split(), cwd=tmp_path)
    assert again.returncode == 1
    assert "ZeroDivisionError" in again.stdout
    summary = karat(*arguments, "--games", 2, "--json", cwd=tmp_path)
    assert summary.returncode == 1
    assert [one["match"] for one in json.loads(summary.stdout)["forfeits"]] == [1, 2]


def test_without_a_record_the_commands_that_make_one_are_printed(tmp_path):
    raising = (
        starter("basari", "Raising") + "\n    def decide(self, view, options):\n        1 / 0\n"
    )
    in_folder(tmp_path, raising=raising)
    arguments = "play", "basari", "--bots", "random,random,raising.py", "--seed", 7
    shown = karat(*arguments, "--option", "max_offers=3", cwd=tmp_path).stdout.splitlines()
    first, second = (line.partition("karat ")[2].split() for line in shown[-2:])
    assert first[:6] == [*map(str, arguments)]
    assert first[-2:] == ["--record", "match.json"]
    assert karat(*first, cwd=tmp_path).returncode == 1
    record = json.loads((tmp_path / "match.json").read_text(encoding="utf-8"))
    assert record["options"]["max_offers"] == 3
    assert "ZeroDivisionError" in karat(*second, cwd=tmp_path).stdout


def test_a_slow_decision_is_reported_as_what_the_league_would_do(tmp_path):
    in_folder(tmp_path, slow=SLOW)
    shown = karat("play", "slow.py", "--seed", 7, cwd=tmp_path)
    assert shown.returncode == 0
    assert "No faults." in shown.stdout
    message = shown.stdout.partition("E302 Too slow\n")[2]
    assert message.startswith("A slow, step ")
    assert "ms of computing time; the league's limit is 250 ms: there it forfeits here." in message
    assert "See what a league does:  karat play slow.py --seats 4 --seed 7 --boxed\n" in message


def test_a_file_that_never_ends_loading_is_told(tmp_path):
    in_folder(tmp_path, loader=LATE_LOADER)
    shown = karat("play", "loader.py", "--seed", 7, cwd=tmp_path)
    assert shown.returncode == 1
    assert "A loader forfeited before its first move;" in shown.stdout
    assert "E201 The bot does not start" in shown.stdout
    assert "It did not finish within 4 s." in shown.stdout
    assert '  File "loader.py", line 4, in <module>' in shown.stdout


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_catches_everything_ends_the_command_with_its_line(tmp_path, jobs):
    in_folder(tmp_path, defiant=DEFIANT)
    arguments = "play", "basari", "--bots", "defiant.py,random,random"
    ended = karat(*arguments, "--games", 4, "--jobs", jobs, cwd=tmp_path)
    assert ended.returncode == 1
    assert "E302 Too slow\ndefiant.py, line 9, in decide: `while True: x += 1`\n" in ended.stderr
    assert "`except BaseException:`" in ended.stderr
    assert "--boxed" not in ended.stderr


def test_the_times_of_a_match_without_files_are_not_compared_with_a_limit(tmp_path):
    shown = karat("play", "basari", "--bots", "random", "--seats", 3, "--seed", 7, cwd=tmp_path)
    assert shown.returncode == 0
    assert "limit" not in shown.stdout
    command = shown.stdout.splitlines()[-1].removeprefix("Record it to watch it:  ")
    assert karat(*command.split()[1:], cwd=tmp_path).returncode == 0
    assert (tmp_path / "match.json").exists()
