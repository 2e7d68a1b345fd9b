"""Draws and hides as values, and that nobody counts the letters of a move any more."""

import re
from pathlib import Path

import pytest

from bots_sdk.games.edelsteinsuche import Draw, EdelsteinsucheBot, Hide
from engine.registry import GAMES
from runners.local import as_views
from runners.plugins.discovery import kits
from tests.bots_sdk.questions import asked_in

ROOT = Path(__file__).parents[2]
SUCHE = GAMES["edelsteinsuche"]
LETTERS_COUNTED = re.compile(r"\bmove\[-?\d+\]")


def questions():
    for seats in SUCHE.seats:
        for view, options in asked_in(SUCHE, seats, "1"):
            yield as_views(view), options


def test_every_draw_and_every_hide_of_a_match_can_be_read_and_written():
    kinds = set()
    for _, options in questions():
        for move in options:
            word = move.split()[0]
            if word in ("draw", "hide"):
                value = {"draw": Draw, "hide": Hide}[word].parse(move)
                assert str(value) == move == value
                assert value in options
                assert hash(value) == hash(move)
                kinds.add(move)
    assert len(kinds) == 25


def test_a_draw_finds_its_card_in_rows_of_any_kind():
    for view, options in questions():
        if view.decision == "DRAW":
            for move in options:
                draw = Draw.parse(move)
                row, slot = map(int, move.removeprefix("draw ").split("."))
                assert (draw.row, draw.slot) == (row, slot)
                assert draw.find(view.rows) is view.rows[row][slot - 1]
                assert draw.find(view.known[view.seat]) == view.rows[row][slot - 1].card


def test_a_hide_finds_its_slot_of_a_row():
    assert [Hide(slot).find("abcde") for slot in range(1, 6)] == list("abcde")


def test_where_a_card_was_drawn_from_makes_a_draw():
    places = {str(Draw(*v.drawn_from)) for v, _ in questions() if v.decision == "PLACE"}
    assert places


@pytest.mark.parametrize(
    "text",
    ["", "draw", "draw 2", "draw 2.6", "draw 4.1", "draw 2.0", "draw 02.4", "draw 2.4 ", "hide 2"],
)
def test_what_is_not_a_draw_is_refused_by_its_text(text):
    with pytest.raises(ValueError, match=re.escape(repr(text))):
        Draw.parse(text)


@pytest.mark.parametrize("text", ["", "hide", "hide 0", "hide 6", "hide 2.4", "show", "draw 2.4"])
def test_what_is_not_a_hide_is_refused_by_its_text(text):
    with pytest.raises(ValueError, match=re.escape(repr(text))):
        Hide.parse(text)


@pytest.mark.parametrize(("cls", "numbers"), [(Draw, (4, 1)), (Draw, (0, 0)), (Hide, (6,))])
def test_there_is_no_value_for_a_place_that_does_not_exist(cls, numbers):
    with pytest.raises(ValueError, match="there is no slot"):
        cls(*numbers)


def test_a_draw_is_no_hide_and_looks_like_its_call():
    assert Draw(0, 1) != Hide(1)
    assert Draw(0, 1) == Draw(0, 1)
    assert repr([Draw(2, 4), Hide(3)]) == "[Draw(2, 4), Hide(3)]"


def test_a_method_may_return_a_move_as_a_value():
    class Says(EdelsteinsucheBot):
        def draw(self, view, options):
            return Draw.parse(options[-1])

        def place(self, view, options):
            return Hide.parse(options[-1])

    for view, options in questions():
        if view.decision in ("DRAW", "PLACE"):
            answer = Says().decide(view, options)
            assert answer == options[-1]
            assert type(answer) is str


def test_a_kit_brings_its_moves_into_the_box():
    assert "moves.py" in kits()["edelsteinsuche"].in_box


def test_nobody_counts_the_letters_of_a_move():
    files = [*ROOT.glob("bots_sdk/**/*.py"), *ROOT.glob("docs/*.md"), ROOT / "README.md"]
    counted = {
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in files
        for line in path.read_text(encoding="utf-8").splitlines()
        if LETTERS_COUNTED.search(line)
    }
    assert not counted
