"""Runs of the playground in real boxes: what is stored of a match, and of every mistake."""

import pytest

from bots_sdk.starters import starter
from engine.record.verify import verify
from engine.registry import GAMES
from league.matches.records import codec
from league.playground import playing
from league.playground.models import PlaygroundRun
from league.playground.views.outcome import explain
from tests.league.playground.runs import make_run, play

pytestmark = pytest.mark.django_db
TALKATIVE = """from bots_sdk import Bot


class Talker(Bot):
    def decide(self, view, options):
        print("I see", len(options), "options")
        self.note("easy")
        return options[0]
"""


def bot(*lines):
    body = "\n".join(f"        {line}" for line in lines)
    head = "from bots_sdk import Bot\n\n\nclass B(Bot):\n    def decide(self, view, options):"
    return f"{head}\n{body}\n"


@pytest.mark.parametrize("game", GAMES)
def test_the_starter_bot_of_every_game_plays_against_house_bots(game):
    count = max(GAMES[game].seats) - 1
    run = play(
        make_run(code=starter(game), game=game, opponents=(("greedy", "random") * count)[:count])
    )
    assert (run.status, run.faults) == (PlaygroundRun.Status.FINISHED, [])
    assert 1 <= run.place <= run.seat_count
    assert run.decisions > 0
    assert run.duration_ms > 0
    assert not run.printed


def test_prints_and_notes_are_stored_with_their_steps_and_the_record_verifies():
    run = play(make_run(code=TALKATIVE))
    assert run.printed.startswith("I see ")
    assert len(run.marks) == run.decisions
    record = codec.unpack(run.record)
    verify(record)
    _, notes = codec.split_notes(record, [False] * run.seat_count)
    assert len(notes[playing.SEAT]) == run.decisions
    assert [seat["name"] for seat in record["seats"]] == [playing.BOT_NAME, "random", "random"]


def test_the_same_seed_deals_the_same_cards():
    runs = [play(make_run(code=TALKATIVE, seed=seed)) for seed in ("7", "7", "8")]
    stories = [[step["text"] for step in codec.unpack(run.record)["steps"]] for run in runs]
    assert stories[0] == stories[1] != stories[2]


MISTAKES = {
    "a move that is not legal": ("E301", ['return "nonsense"']),
    "an endless loop": ("E302", ["while True: pass"]),
    "an exception": ("E303", ["gems = []", "return gems[4]"]),
    "nothing returned": ("E306", ["options[0]"]),
    "a process that ends": ("E308", ["import os", "os._exit(3)"]),
    "text that no database takes": ("E303", ["raise ValueError(chr(0) + chr(0xd800))"]),
}


@pytest.mark.parametrize(("code", "lines"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_explained_with_its_code_and_step(code, lines):
    run = play(make_run(code=bot(*lines)))
    fault = explain(run.faults[0], run.code)
    assert fault.message.code == code
    assert fault.step is not None
    assert f"Step {fault.step}" in fault.message.explanation
    assert codec.unpack(run.record)["faults"]


def test_a_wrong_answer_is_explained_with_method_options_and_line():
    run = play(make_run(code=bot('return "nonsense"')))
    fault = explain(run.faults[0], run.code)
    assert "`decide` returned `nonsense`" in fault.message.explanation
    assert "`workers`, `points`, `gems`" in fault.message.fix
    assert fault.excerpt.startswith(f"{fault.line} |")


def test_an_exception_is_explained_with_its_line_method_and_traceback():
    run = play(make_run(code=bot("gems = []", "return gems[4]")))
    fault = explain(run.faults[0], run.code)
    assert (fault.line, fault.excerpt) == (7, "7 |         return gems[4]")
    assert "`decide` raised `IndexError: list index out of range` in line 7" in (
        fault.message.explanation
    )
    assert "A fallback move was played instead" in fault.message.fix
    assert 'File "bot.py", line 7, in decide' in fault.traceback
    assert len(run.faults) == 3
    assert run.forfeited


def test_a_file_that_does_not_load_is_explained_with_its_line():
    run = play(make_run(code=f"{bot('return options[0]')}\n1 / 0\n"))
    fault = explain(run.faults[0], run.code)
    assert (fault.message.code, fault.step, fault.line) == ("E201", None, 8)
    assert "ZeroDivisionError" in fault.message.explanation


def test_output_is_cut_where_that_of_a_match_is(settings):
    run = play(make_run(code=bot('print("x" * 20000)', "return options[0]")))
    assert run.cut
    assert len(run.printed) <= settings.LIMITS.log_kib << 10


def test_a_match_that_takes_too_long_ends_and_says_so(monkeypatch):
    monkeypatch.setattr(playing, "MATCH_SECONDS", 0.3)
    run = play(make_run(code=bot("import time", "time.sleep(0.1)", "return options[0]")))
    assert run.status == PlaygroundRun.Status.FINISHED
    fault = explain(run.faults[0], run.code)
    assert (fault.message.code, run.record) == ("E302", None)
    assert "0.3 s that the playground has" in fault.message.explanation
