"""What a failed check tells: decision, method, view, move, reason, line; and notices."""

import json
from dataclasses import asdict

import pytest

from engine.registry import GAMES
from runners.upload.asked import view_as_text
from runners.upload.check import check
from tests.mistakes.index import GAME, MISTAKES

MISTAKE = {mistake.name: mistake for mistake in MISTAKES}
LINES = {
    "syntax_error": 5,
    "wrong_class": 1,
    "two_classes": 9,
    "forbidden_import": 1,
    "illegal_move": 5,
    "exception_at_turn_20": 10,
    "returns_none": 5,
    "endless_loop": 5,
}
"""Where each mistake is shown that the check does not pass."""


def steps_of(source, game=GAME, **settings):
    return list(check(source.encode(), GAMES[game], file="my_bot.py", **settings))


@pytest.mark.parametrize("name", LINES)
def test_a_mistake_is_shown_with_its_code_its_line_and_what_stands_there(name):
    mistake = MISTAKE[name]
    failed = steps_of(mistake.source)[-1]
    assert not failed.ok
    assert (failed.message.code, failed.line) == (mistake.code, LINES[name])
    assert failed.excerpt == mistake.source.split("\n")[failed.line - 1]
    assert "league made" not in failed.message.fix


@pytest.mark.parametrize("name", ["print_flood", "misspelt_method"])
def test_a_mistake_that_costs_nothing_is_a_notice_and_the_check_passes(name):
    steps = steps_of(MISTAKE[name].source)
    assert all(step.ok for step in steps)
    notices = [notice for step in steps for notice in step.notices]
    assert [(notice.code, notice.kind) for notice in notices] == [(MISTAKE[name].code, "notice")]
    assert "`my_bot.py`" in notices[0].explanation


def test_an_illegal_move_is_told_with_decision_method_view_move_reason_and_options():
    failed = steps_of(MISTAKE["illegal_move"].source, seed="1")[-1]
    assert failed.message.explanation == (
        "Test set: asked for `CHOOSE_ACTION`, `choose_action` returned `diamonds`. "
        "'diamonds' is not a move here; say money, event or gems."
    )
    assert "Return one of the 3 options: `money`, `event`, `gems`" in failed.message.fix
    asked = failed.asked
    assert (asked.decision, asked.method, asked.move) == (
        *("CHOOSE_ACTION", "choose_action"),
        "diamonds",
    )
    assert asked.options == ["money", "event", "gems"]
    assert {"phase", "round", "me.gems", "me.card"} <= set(asked.view)


def test_a_method_that_returns_nothing_is_named():
    failed = steps_of(MISTAKE["returns_none"].source)[-1]
    assert "`choose_action` returned `None`. Most often a branch" in failed.message.explanation
    assert "In every branch, return one of the 3 options" in failed.message.fix


def test_an_answer_of_another_kind_is_named_by_its_class():
    source = MISTAKE["illegal_move"].source.replace('"diamonds"', "3")
    failed = steps_of(source)[-1]
    assert "returned an object of the class `int`. A move is a text" in failed.message.explanation


def test_a_traceback_begins_in_the_authors_file_and_has_its_name():
    source = MISTAKE["illegal_move"].source.replace('"diamonds"', "len(3)")
    failed = steps_of(source)[-1]
    assert failed.traceback.startswith(
        "Traceback (most recent call last):\n"
        '  File "my_bot.py", line 6, in choose_action\n    return len(3)\n'
    )
    assert (
        "`choose_action` raised `TypeError: object of type 'int' has" in failed.message.explanation
    )


def test_a_bot_that_does_not_start_is_told_with_its_line():
    failed = steps_of(MISTAKE["illegal_move"].source + "\n\nTABLE = [][1]\n")[-1]
    assert failed.message.code == "E201"
    assert failed.message.explanation == (
        "`my_bot.py` stopped while it was loaded, before any move. "
        "Line 9: `IndexError: list index out of range`."
    )


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_short_excerpt_of_its_view(game):
    source = (
        "from bots_sdk import Bot\n\n\nclass MyBot(Bot):\n    def decide(self, view, options):\n"
    )
    failed = steps_of(f"{source}        return 'nonsense'\n", game)[-1]
    assert failed.asked.method == "decide"
    assert 3 <= len(failed.asked.view) <= 12
    assert len(view_as_text(failed.asked.view)) < 300


def test_a_fault_of_the_smoke_match_tells_what_was_asked_there():
    source = MISTAKE["illegal_move"].source.replace(
        '"diamonds"', '"diamonds" if view.phase > 2 else options[0]'
    )
    failed = steps_of(source)[-1]
    assert failed.name == "match"
    assert failed.message.explanation.startswith("Smoke match, step ")
    assert failed.asked.view["phase"] == 3
    json.dumps(asdict(failed))
