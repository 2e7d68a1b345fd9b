"""Whole matches between files in boxes and players of ours."""

import time
from dataclasses import replace

import pytest

from bots_sdk.bot import View, find_bot
from engine.record.verify import verify
from engine.registry import GAMES
from engine.rng import Rng
from runners.box.pool import Pool
from runners.boxed import Misplayed, boxed_players
from runners.failures import InfrastructureError
from runners.limits import Limits
from runners.match import play
from runners.players import FallbackPlayer, Question, RandomPlayer
from runners.seeds import seat_seed
from tests.engine.tables import every_table
from tests.runners.boxes import FIRST, bot, descriptors

QUICK = replace(Limits(), decision_cpu_ms=100, decision_wall_ms=500)
SHORT = {"max_turns_per_seat": 2, "dealer": 1}

CHANCE = bot(
    "names = {f'card {n}' for n in range(50)}",
    "pick = len(' '.join(names).split('card 7')[0]) + self.rng.randrange(10**6)",
    "return options[pick % len(options)]",
)
"""Its move depends on the order of a set and on its own chance."""

ODD = bot(
    "self.turn = getattr(self, 'turn', 0) + 1",
    "return options[(view.seat + self.turn) % len(options)]",
)


def boxed(game, sources, seed="7", limits=QUICK, **how):
    with boxed_players(sources, seed, limits) as players:
        return play(game, players, seed, recorded=True, **how)


def short(*sources, limits=QUICK):
    return boxed(GAMES["edelsteinsuche"], sources, limits=limits, options=SHORT)


class Local:
    """The same file, played in this process."""

    def __init__(self, source, seed):
        names = {"__name__": "local"}
        exec(compile(source, "bot.py", "exec"), names)
        self.bot = find_bot(names, "local")()
        self.bot._seed = seed

    def decide(self, question):
        return self.bot.decide(View(question.view), question.options)


@every_table
def test_a_boxed_match_is_the_match_played_in_this_process(game, seats):
    played = boxed(game, [ODD] * seats)
    assert played.faults == []
    verify(played.record)
    local = [Local(ODD, seat_seed("7", seat)) for seat in range(seats)]
    here = play(game, local, "7", recorded=True)
    assert played.record["digest"] == here.record["digest"]
    assert played.decisions == here.decisions
    assert played.outcome == here.outcome


def test_the_same_bots_and_seed_give_the_same_record():
    game = GAMES["edel-stein-reich"]
    one, two = (boxed(game, [CHANCE] * 3) for _ in range(2))
    assert one.record["digest"] == two.record["digest"]
    assert one.record["digest"] != boxed(game, [CHANCE] * 3, seed="8").record["digest"]


def test_strangers_and_players_of_ours_sit_at_one_table():
    game = GAMES["basari"]
    with boxed_players([FIRST], "3") as players:
        table = [*players, FallbackPlayer(""), RandomPlayer("x")]
        played = play(game, table, "3", recorded=True)
    verify(played.record)
    assert played.faults == []
    assert played.logs == [b"", b"", b""]


def test_the_chance_of_a_bot_belongs_to_its_seat():
    source = bot("print(self.rng.random())", "return options[0]")
    with boxed_players([source, source], "3", seats=[2, 0]) as (third, first):
        played = play(GAMES["basari"], [first, FallbackPlayer(""), third], "3")
    whole = boxed(GAMES["basari"], [source] * 3, seed="3")
    assert played.logs[0].split()[0] == whole.logs[0].split()[0]
    assert played.logs[2].split()[0] == whole.logs[2].split()[0]
    assert played.logs[0].split()[0] != played.logs[2].split()[0]


def test_the_record_says_which_limits_were_in_force():
    assert short(FIRST, FIRST).record["limits"] == QUICK.as_record()


def test_without_a_record_the_faults_are_the_same():
    game = GAMES["edelsteinsuche"]
    source = bot("return 'nonsense'")
    with boxed_players([source, FIRST], "7", QUICK) as players:
        bare = play(game, players, "7", options=SHORT)
    assert bare.record is None
    assert bare.faults == short(source, FIRST).faults
    assert bare.forfeits == [0]


SOFT = {
    "E301": bot("return 'nonsense'"),
    "E303": bot("return {}['red']"),
    "E306": bot("return None"),
}


@pytest.mark.parametrize("code", SOFT)
def test_the_third_soft_fault_forfeits_and_fallback_moves_finish_the_game(code):
    played = short(SOFT[code], FIRST)
    verify(played.record)
    assert [fault.code for fault in played.faults] == [code] * 3
    assert played.forfeits == [0]
    assert played.outcome.placements == played.record["outcome"]["placements"] == [2, 1]
    asked = [
        step
        for step in played.record["steps"]
        if step.get("seat") == 0 and step.get("forced") is False
    ]
    assert len(asked) > 3
    assert {step["fault"] for step in asked} == {code}


def test_two_soft_faults_are_forgiven():
    source = bot("self.n = getattr(self, 'n', 0) + 1", "return None if self.n < 3 else options[0]")
    played = short(source, FIRST)
    verify(played.record)
    assert [fault.code for fault in played.faults] == ["E306", "E306"]
    assert played.forfeits == []


HARD = {
    "E302": bot("while True: pass"),
    "E304": bot("bytearray(1 << 40)"),
    "E307": bot("import ctypes", "ctypes.CDLL(None).unshare(1 << 28)"),
    "E308": bot("import os", "os._exit(0)"),
    "E309": bot("import os", "os.write(3, b'\\xff' * 9)"),
}


@pytest.mark.parametrize("code", HARD)
def test_one_hard_fault_forfeits(code):
    played = short(HARD[code], FIRST)
    verify(played.record)
    assert [(fault.seat, fault.code) for fault in played.faults] == [(0, code)]
    assert played.record["steps"][played.faults[0].step]["fault"] == code
    assert played.forfeits == [0]
    assert played.outcome.placements == [2, 1]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        pytest.param("x = {}['red']", "KeyError", id="raises"),
        pytest.param("def", "SyntaxError", id="no Python"),
        pytest.param("x = 1", "TypeError", id="no bot"),
        pytest.param(FIRST + FIRST.replace("First", "Other"), "TypeError", id="two bots"),
        pytest.param("while True: pass", "300 ms of computing time", id="too slow"),
        pytest.param("x = bytearray(1 << 40)", "memory", id="too large"),
        pytest.param("import os; os._exit(3)", "exit status 3", id="gone"),
        pytest.param("#" + "x" * (300 << 10), "256 KiB", id="too long"),
    ],
)
def test_a_bot_that_does_not_start_forfeits_before_the_first_step(source, said):
    played = short(source, FIRST, limits=replace(QUICK, load_cpu_ms=300))
    verify(played.record)
    (fault,) = played.faults
    assert (fault.seat, fault.step, fault.code) == (0, None, "E201")
    assert said in fault.detail
    assert played.forfeits == [0]


def test_when_all_forfeit_the_game_still_ends():
    played = boxed(GAMES["edel-stein-reich"], [HARD["E308"]] * 3)
    verify(played.record)
    assert played.forfeits == [0, 1, 2]


def test_the_bank_of_a_match_runs_out():
    limits = replace(QUICK, bank_cpu_ms=150)
    source = bot(
        "from time import process_time as t",
        "end = t() + 0.06",
        "while t() < end: pass",
        "return options[0]",
    )
    played = short(source, FIRST, limits=limits)
    assert [fault.code for fault in played.faults] == ["E302"]
    asked = [step for step in played.record["steps"] if step.get("seat") == 0]
    assert "fault" not in asked[0]


def test_a_match_that_takes_too_long_is_ours(monkeypatch):
    monkeypatch.setattr(Limits, "match_seconds", lambda self, seats: -1.0)
    with pytest.raises(InfrastructureError):
        short(FIRST, FIRST)


def test_a_traceback_names_the_line_of_the_author_and_nothing_of_ours():
    (fault, *_) = short(bot("gems = [1]", "return gems[4]"), FIRST).faults
    assert fault.detail == "The bot raised IndexError."
    assert 'File "bot.py", line 6, in decide' in fault.traceback
    assert "return gems[4]" in fault.traceback
    assert "^^^" in fault.traceback
    assert "inside" not in fault.traceback


def test_a_syntax_error_names_its_line():
    (fault,) = short("x = 1\ndef f(:\n", FIRST).faults
    assert 'File "bot.py", line 2' in fault.traceback


def test_logs_belong_to_the_decision_in_which_they_were_printed():
    source = bot("print(view.decision)", "return options[0]", before="print('loading')")
    played = short(source, FIRST)
    log = played.logs[0]
    assert log.startswith(b"loading\n")
    begun = len(b"loading\n")
    for step, end in played.marks[0]:
        assert played.record["steps"][step]["seat"] == 0
        assert log[begun:end].count(b"\n") == 1
        begun = end
    assert begun == len(log)


def test_a_cut_log_is_a_notice_and_no_fault():
    played = short(bot("print('x' * 99_999)", "return options[0]"), FIRST)
    assert played.faults == []
    assert [(notice.seat, notice.code) for notice in played.notices] == [(0, "E305")]
    assert len(played.logs[0]) == 64 << 10


def test_a_note_stands_at_its_move_and_is_cut():
    played = short(bot("self.note('n' * 300)", "return options[0]"), FIRST)
    assert played.faults == []
    notes = [step["note"] for step in played.record["steps"] if "note" in step]
    assert notes
    assert set(notes) == {"n" * 200}


def test_a_view_has_attributes_news_and_the_time_left():
    source = bot(
        "assert view.seat == view['seat'] == 0",
        "assert view.rows[0][0].up is view['rows'][0][0]['up']",
        "assert 0 < view.time_left_ms <= 100",
        "seen = self.__dict__.setdefault('seen', [])",
        "seen.extend(step.i for step in view.news)",
        "assert seen == list(range(len(seen)))",
        "assert seen",
        "for step in view.news:",
        "    assert not {'set', 'text', 'ms', 'note', 'for', 'view'} & set(step)",
        "    if step.t == 'draw' and step.seat != 0: print('card' in step)",
        "return options[0]",
    )
    options = {"max_turns_per_seat": 8, "dealer": 1}
    played = boxed(GAMES["edelsteinsuche"], [source, CHANCE], options=options)
    assert played.faults == []
    draws = [
        (step["i"], 0 in step["for"]["card"])
        for step in played.record["steps"]
        if step["t"] == "draw" and step["seat"] != 0
    ]
    last_asked = played.marks[0][-1][0]
    told = [str(known) for i, known in draws if i < last_asked]
    assert played.logs[0].decode().split() == told
    assert set(told) == {"True", "False"}


def test_a_bot_never_sees_the_seed_of_the_match():
    source = bot(
        "import gc",
        "texts = [x for o in gc.get_objects() for x in gc.get_referents(o) if type(x) is str]",
        "seed = ''.join(['deal', ' 4711'])",
        "print(any(seed in text for text in texts))",
        "return options[0]",
    )
    with boxed_players([source, FIRST], "deal 4711") as players:
        played = play(GAMES["edelsteinsuche"], players, "deal 4711", options=SHORT)
    assert set(played.logs[0].split()) == {b"False"}


def test_offers_are_the_same_lazy_sequence_inside():
    source = bot(
        "if len(options) > 3 and view.barter:",
        "    assert options[-1] in options and options[1:3] == [options[1], options[2]]",
        "    assert 'offer 99.0.0.0' not in options",
        "    print(type(options).__name__)",
        "return options[len(options) - 1 if view.barter else view.seat // 2]",
    )
    played = boxed(GAMES["edel-stein-reich"], [source] * 3)
    assert played.faults == []
    assert b"Offers" in b"".join(played.logs)


def test_seats_that_choose_together_think_together():
    source = bot(
        "import time",
        "time.sleep(1 if view.decision == 'CHOOSE_ACTION' and view.round + view.phase < 3 else 0)",
        "return options[0]",
    )
    limits = replace(QUICK, decision_wall_ms=2000)
    begun = time.monotonic()
    played = boxed(GAMES["edel-stein-reich"], [source] * 3, limits=limits)
    elapsed_ms = (time.monotonic() - begun) * 1000
    assert played.faults == []
    thought = 0.0
    for step in played.record["steps"]:
        thought += sum(step["ms"]) if step["t"] == "choose" else step.get("ms", 0)
    assert thought > elapsed_ms


def test_the_time_of_a_player_of_ours_is_not_charged_to_a_stranger():
    class Slow(FallbackPlayer):
        def decide(self, question):
            time.sleep(0.3)
            return super().decide(question)

    limits = replace(QUICK, decision_wall_ms=200)
    with boxed_players([FIRST], "7", limits) as players:
        table = [*players, Slow("")]
        options = {"max_turns_per_seat": 1}
        played = play(GAMES["edelsteinsuche"], table, "7", options=options)
    assert played.faults == []


def test_matches_from_the_pool_leave_nothing_behind():
    game = GAMES["edelsteinsuche"]
    sources = [FIRST, HARD["E308"]]

    def one(number):
        with boxed_players(sources, str(number), QUICK, pool=pool) as players:
            pool.fill()
            return play(game, players, str(number), options=SHORT)

    with Pool(2, QUICK) as pool:
        one(0)
        before = descriptors()
        for number in range(1, 25):
            assert one(number).forfeits == [1]
        assert descriptors() == before


def test_a_boxed_player_can_be_asked_outside_of_a_match():
    game = GAMES["edelsteinsuche"]
    state = game.start(2, {}, Rng("1"))
    (seat,) = game.to_move(state)
    question = Question(game, state, seat)
    with boxed_players([FIRST, SOFT["E303"], HARD["E308"]], "1") as (good, raising, gone):
        assert good.decide(question) == question.options[0]
        with pytest.raises(Misplayed) as caught:
            raising.decide(question)
        assert caught.value.failure.code == "E303"
        for _ in range(2):
            with pytest.raises(Misplayed) as caught:
                gone.decide(question)
            assert caught.value.failure.code == "E308"
