"""Author files played in this process: the same match as in boxes, judged by the same rules."""

import sys

import pytest

from engine.record.verify import verify
from engine.registry import GAMES
from engine.rng import Rng
from runners.boxed import boxed_players
from runners.faults import CODES
from runners.local import MODULE, LocalPlayer, load
from runners.match import play
from runners.players import FallbackPlayer, Question, RandomPlayer
from runners.seeds import seat_seed
from runners.untrusted import Misplayed
from runners.upload.source import Finding
from tests.runners.boxes import bot

SHORT = {"max_turns_per_seat": 3, "dealer": 1}

NOSY = bot(
    "self.asked = getattr(self, 'asked', 0) + 1",
    "told = repr((view, view.news, view.time_left_ms, type(options).__name__, len(options)))",
    "self.note(f'{self.asked} {sum(told.encode())} {self.rng.random()}')",
    "view.news.clear(); view.seats.clear()",
    "if self.asked % 9 == 8: return None if view.seat else options[999999]",
    "return options[self.rng.randrange(len(options))]",
)
"""Shows in its notes whatever it is given, spoils it, and fails now and then."""

SEARCHER = """
from bots_sdk import Bot
from engine.registry import GAMES
from engine.rng import Rng
from engine.rng import Rng

class Searcher(Bot):
    def decide(self, view, options):
        game = next(g for g in GAMES.values() if g.slug == self.slug(view))
        rng = Rng(str(self.rng.random()))
        position = game.imagine(view, rng)
        while asked := game.to_move(position):
            game.play(position, [game.fallback(position, seat) for seat in asked], rng)
        self.note(game.outcome(position).scores)
        return options[sum(map(abs, game.outcome(position).scores)) % len(options)]

    def slug(self, view):
        if "turn" in view:
            return "edelsteinsuche"
        return "basari" if "stage" in view else "edel-stein-reich"
"""


def local(game, sources, seed="7", **how):
    players = [load(source)(seat_seed(seed, seat)) for seat, source in enumerate(sources)]
    return play(game, players, seed, recorded=True, **how)


def boxed(game, sources, seed="7", **how):
    with boxed_players(sources, seed) as players:
        return play(game, players, seed, recorded=True, **how)


def without_times(record):
    steps = [{name: value for name, value in s.items() if name != "ms"} for s in record["steps"]]
    return {**record, "steps": steps, "limits": None}


@pytest.mark.parametrize("source", [NOSY, SEARCHER], ids=["nosy", "searcher"])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_match_is_the_same_here_and_in_boxes(game, source):
    seats = game.seats[0]
    here, there = local(game, [source] * seats), boxed(game, [source] * seats)
    assert without_times(here.record) == without_times(there.record)
    shown = [(f.seat, f.step, f.code, f.detail) for f in here.faults]
    assert shown == [(f.seat, f.step, f.code, f.detail) for f in there.faults]
    assert here.forfeits == there.forfeits
    assert bool(shown) is (source is NOSY)
    assert here.record["limits"] is None
    verify(here.record)


@pytest.mark.parametrize(
    ("line", "code", "detail"),
    [
        ("return 1 / 0", "E303", "The bot raised ZeroDivisionError."),
        ("raise SystemExit", "E303", "The bot raised SystemExit."),
        ("return None", "E306", "It returned NoneType instead of a move."),
        ("return 'draw 9.9'", "E301", None),
        ("raise MemoryError", "E304", "The bot needed more than 256 MiB."),
    ],
)
def test_a_fault_costs_the_move_and_the_third_the_match(line, code, detail):
    game = GAMES["edelsteinsuche"]
    source = bot("if view.decision == 'DRAW':", f"    {line}", "return options[0]")
    table = [LocalPlayer(source, "1"), FallbackPlayer("")]
    played = play(game, table, "7", options=SHORT, recorded=True)
    verify(played.record)
    assert {fault.code for fault in played.faults} == {code}
    assert detail is None or played.faults[0].detail == detail
    assert len(played.faults) == (3 if CODES[code].kind == "soft" else 1)
    assert played.forfeits == [0]


def test_a_traceback_shows_the_lines_that_ran_and_none_of_ours(tmp_path):
    path = tmp_path / "my_bot.py"
    path.write_text(bot("worth = view.gold  # none", "return options[0]"))
    program = load(path)
    path.write_text("# changed meanwhile\n")
    played = play(GAMES["basari"], [program("1"), *[FallbackPlayer("")] * 2], "1")
    told = played.faults[0].traceback.splitlines()
    assert told[1:3] == [f'  File "{path}", line 5, in decide', "    worth = view.gold  # none"]
    assert told[-1].startswith("AttributeError: the view has no 'gold'; it has stage, round")


@pytest.mark.parametrize(
    ("source", "detail"),
    [
        ("import nothing_at_all\n" + bot("return 1"), "It raised ModuleNotFoundError."),
        (bot("return 1") + "    def __init__(self):\n        raise ValueError\n", "ValueError"),
    ],
)
def test_a_bot_that_does_not_start_forfeits_at_once(source, detail):
    table = [LocalPlayer(source, "1"), *[FallbackPlayer("")] * 2]
    played = play(GAMES["basari"], table, "1", recorded=True)
    assert [(fault.code, fault.step) for fault in played.faults] == [("E201", None)]
    assert detail in played.faults[0].detail
    assert played.forfeits == [0]
    verify(played.record)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        pytest.param("def decide(:\n", "E101", id="not Python"),
        pytest.param(bot("return 1") + "return 1\n", "E101", id="only the compiler notices"),
        pytest.param("x = 1\n", "E102", id="no bot"),
        pytest.param(bot("return 1").replace(", options", ""), "E104", id="wrong parameters"),
    ],
)
def test_a_file_that_cannot_play_is_refused_when_it_is_loaded(source, code):
    with pytest.raises(Finding) as found:
        load(source)
    assert found.value.code == code


def test_every_match_runs_the_file_anew():
    counting = bot("seen.append(1)", "assert len(seen) < 99", "return options[0]", before="seen=[]")
    program = load(counting)
    for seed in "123":
        table = [program(seed), program(seed), FallbackPlayer("")]
        assert play(GAMES["basari"], table, seed).faults == []


def test_each_seat_has_chance_of_its_own_from_the_first_line_on():
    rolling = bot("return options[0]") + (
        "    def __init__(self):\n        self.first = self.rng.random()\n"
    )
    one, other, again = (LocalPlayer(rolling, seed)._bot for seed in ("1", "2", "1"))
    assert one.first == again.first != other.first
    assert one.rng.random() == again.rng.random() != other.rng.random()


def test_interrupting_ends_the_match_and_is_no_fault():
    source = bot("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        play(GAMES["basari"], [LocalPlayer(source, "1"), *[FallbackPlayer("")] * 2], "1")


def test_strangers_here_and_in_boxes_and_our_own_share_a_table():
    game = GAMES["basari"]
    with boxed_players([NOSY], "7", seats=[0]) as (first,):
        table = [first, load(NOSY)(seat_seed("7", 1)), load(NOSY)(seat_seed("7", 2))]
        mixed = play(game, table, "7", recorded=True)
    assert without_times(mixed.record) == without_times(local(game, [NOSY] * 3).record)
    assert mixed.record["limits"] is not None
    ours = [LocalPlayer(NOSY, "1"), RandomPlayer("2"), FallbackPlayer("")]
    verify(play(game, ours, "7", recorded=True).record)


def test_a_player_may_be_asked_without_a_match():
    game = GAMES["basari"]
    state = game.start(3, {}, Rng("1"))
    question = Question(game, state, 0)
    assert LocalPlayer(bot("return options[0]"), "1").decide(question) == "workers"
    with pytest.raises(Misplayed, match="ZeroDivisionError"):
        LocalPlayer(bot("return 1 / 0"), "1").decide(question)


def test_a_file_finds_itself_among_the_modules():
    source = bot("return options[0]", before="import sys\nme = sys.modules[__name__]")
    player = LocalPlayer(source, "1")
    assert player.failure is None
    assert sys.modules[MODULE].me.Written is type(player._bot)
