"""The check of an upload: each step, what it refuses, and that nothing runs outside a box."""

from time import monotonic

import pytest

from engine.registry import GAMES
from runners.limits import Limits
from runners.upload.check import FIXED_SEED, QUESTIONS, check, check_budget, positions

ESR = GAMES["edel-stein-reich"]
GOOD = """
import random
from bots_sdk import Bot

class MyBot(Bot):
    def decide(self, view, options):
        return options[0]
"""


def steps(source, game=ESR, **settings):
    data = source if isinstance(source, bytes) else source.encode()
    return list(check(data, game, **settings))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_bot_that_plays_passes_every_step(game):
    done = steps(GOOD, game)
    assert [step.name for step in done] == [
        *("text", "syntax", "class", "imports", "start", "answers", "match")
    ]
    assert all(step.ok and step.message is None and step.ms >= 0 for step in done)
    assert done[2].text == "Bot class MyBot (line 5)"
    assert done[3].text == "imports allowed: random, bots_sdk"


def bot(body="return options[0]", before="", name="A", arguments="self, view, options"):
    return f"""from bots_sdk import Bot
{before}
class {name}(Bot):
    def decide({arguments}):
        {body}
"""


@pytest.mark.parametrize(
    ("source", "step", "code", "line"),
    [
        pytest.param(b"PK\x03\x04rest", "text", "E109", None, id="no whole archive"),
        pytest.param(b"x = '\xff'", "text", "E106", None, id="not UTF-8"),
        pytest.param(b"x = 1\0", "text", "E106", None, id="a zero byte"),
        pytest.param(b"#" * 300_000, "text", "E106", None, id="too large"),
        pytest.param("def f(:\n", "syntax", "E101", 1, id="a syntax error"),
        pytest.param("x = 1\n  y = 2\n", "syntax", "E101", 2, id="wrong indentation"),
        pytest.param("(" * 200_000, "syntax", "E101", 1, id="nested too deeply"),
        pytest.param("-" * 200_000 + "1", "syntax", "E101", None, id="a tower of signs"),
        pytest.param("", "class", "E102", None, id="an empty file"),
        pytest.param("class Shark:\n    pass\n", "class", "E102", 1, id="not a Bot"),
        pytest.param(bot() + bot(name="B"), "class", "E103", 8, id="two bots"),
        pytest.param(bot(arguments="self, view"), "class", "E104", 4, id="too few parameters"),
        pytest.param(bot(arguments="self, v, o, x"), "class", "E104", 4, id="too many"),
        pytest.param(bot(before="import requests"), "imports", "E105", 2, id="not in the box"),
        pytest.param(bot(before="from socket import *"), "imports", "E105", 2, id="network"),
        pytest.param(bot(body="import subprocess"), "imports", "E105", 5, id="inside a method"),
        pytest.param(bot(before="1 / 0"), "start", "E201", 2, id="fails to load"),
        pytest.param(bot(before="while True: pass"), "start", "E201", None, id="loads for ever"),
        pytest.param(bot(body="return 'nonsense'"), "answers", "E301", 4, id="illegal"),
        pytest.param(bot(body="return None"), "answers", "E306", 4, id="nothing"),
        pytest.param(bot(body="raise KeyError"), "answers", "E303", 5, id="raises"),
        pytest.param(bot(body="while True: pass"), "answers", "E302", 4, id="too slow"),
    ],
)
def test_the_first_step_that_fails_is_the_last_and_says_why(source, step, code, line):
    quick = Limits(load_cpu_ms=300, decision_cpu_ms=100)
    done = steps(source, limits=quick)
    assert [s.ok for s in done] == [True] * (len(done) - 1) + [False]
    failed = done[-1]
    assert (failed.name, failed.message.code, failed.line) == (step, code, line)
    assert len(failed.excerpt or "") <= 200
    assert "/" not in (failed.traceback or "").replace("</", "").replace("1 / 0", "")


def test_a_fault_that_shows_only_in_a_match_is_found_by_the_smoke_match():
    source = bot(body="return options[0 if view.phase < 3 else 99]")
    # With some seeds, random players come to the third phase in the positions of the test set.
    failed = steps(source, seed=FIXED_SEED)[-1]
    assert (failed.name, failed.message.code) == ("match", "E303")
    assert "IndexError" in failed.traceback


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(bot() + "\nclass B(A):\n    pass\n", id="only the leaf plays"),
        pytest.param(bot() + bot(name="B") + "BOT = A\n", id="BOT names one"),
        pytest.param(
            bot()
            .replace("Bot", "Base", 1)
            .replace("import Base", "import Bot as Base")
            .replace("(Bot)", "(Base)"),
            id="imported by another name",
        ),
        pytest.param(bot(arguments="self, *args").replace("options[0]", "args[1][0]"), id="args"),
        pytest.param(bot(arguments="self, view, options, extra=1"), id="more with defaults"),
    ],
)
def test_every_honest_way_to_write_a_bot_class_is_accepted(source):
    assert all(step.ok for step in steps(source, GAMES["edelsteinsuche"]))


def test_nothing_of_the_file_runs_outside_a_box(tmp_path):
    witness = tmp_path / "ran"
    source = f"open({str(witness)!r}, 'w')\n" + bot()
    failed = steps(source)[-1]
    assert (failed.name, failed.message.code) == ("start", "E201")
    assert not witness.exists()


SLEEPER = bot(before="import time", body="time.sleep(0.3); return options[0]")


def test_a_check_of_all_games_has_one_budget_of_time():
    limits = Limits(check_wall_ms=4000)
    budget = check_budget(limits)
    begun = monotonic()
    done = [
        step
        for game in GAMES.values()
        for step in steps(SLEEPER, game, limits=limits, budget=budget)
    ]
    elapsed = monotonic() - begun
    failed = [step for step in done if not step.ok]
    assert [step.message.code for step in failed] == ["E302"] * len(GAMES)
    assert [step.name for step in failed] == ["answers", "start", "start"]
    assert failed[0].text == "The check of all its games took longer than 4 s."
    assert "within the 4 s that a check may take" in failed[0].message.explanation
    assert "upload a bot for each game" in failed[0].message.fix
    # Without a budget one game alone takes 120 decisions of 0.3 s.
    assert elapsed < 30


def test_a_bot_that_thinks_for_long_is_asked_less_often_and_passes():
    source = bot(before="import time", body="time.sleep(0.05); return options[0]")
    done = steps(source, limits=Limits(check_wall_ms=6000))
    assert done[-1].ok, done[-1].text
    asked = int(done[-2].text.partition(" ")[0])
    # Asked everything, it would think for 6 s before its smoke match begins.
    assert asked == 8 * len(ESR.seats)


def test_the_budget_also_ends_a_smoke_match():
    source = bot(
        before="import time",
        body="if view.news: time.sleep(0.3)\n        return options[0]",
    )
    failed = steps(source, limits=Limits(check_wall_ms=3000))[-1]
    assert (failed.name, failed.message.code) == ("match", "E302")
    assert "took longer than 3 s" in failed.text


def test_every_check_asks_and_deals_by_a_seed_of_its_own_that_it_reports():
    seeds = {step.seed for _ in range(3) for step in steps(bot(body="raise KeyError"))}
    assert len(seeds - {None}) == 3


def test_a_check_with_the_seed_of_another_one_is_the_same():
    def watched(**how):
        kept = []
        done = steps(GOOD, keep=kept.append, **how)
        return done[-1], kept[0].record["digest"]

    first, digest = watched()
    assert first.seed != FIXED_SEED
    assert watched(seed=first.seed)[1] == digest
    assert watched()[1] != digest


def test_only_steps_that_run_the_bot_have_a_seed():
    done = steps(GOOD, seed="7")
    assert [step.seed for step in done] == [None] * 4 + ["7"] * 3


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_other_seeds_ask_in_other_positions(game):
    def shown(seed):
        return [game.view(state, seat) for state, seat in positions(game, game.seats[0], seed)]

    assert shown("a") != shown("b")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_fixed_positions_are_the_same_every_time_and_ask_every_seat(game):
    for seats in game.seats:
        asked = positions(game, seats)
        assert QUESTIONS - 1 <= len(asked) <= QUESTIONS
        assert {seat for _, seat in asked} == set(range(seats))
        again = positions(game, seats)
        assert [game.view(s, seat) for s, seat in asked] == [
            game.view(s, seat) for s, seat in again
        ]
