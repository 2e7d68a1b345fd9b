"""The test kit that authors use."""

import importlib
import json
from pathlib import Path
from zlib import crc32

import pytest

from bots_sdk import Bot
from bots_sdk.games.basari import BasariBot
from bots_sdk.games.edel_stein_reich import EdelSteinReichBot
from bots_sdk.testing import Misplay, Position, every_position, play_match
from engine.registry import GAMES
from runners.bundles.pack import pack, read_folder
from tests.bots_sdk.author_tests import run_pytest
from tests.runners.bundles.local_bundles import write

GOLDEN = Path(__file__).parents[1] / "golden"
START = Position.start("basari", seats=3)
BARTER = START.play("points", "points", "gems")


class Curious(Bot):
    """Notes what it was shown."""

    def decide(self, view, options):
        self.note(f"{len(view.news)} news, {crc32(json.dumps([view, *options]).encode())}")
        return options[-1]


def bot(decide):
    return type("Mine", (Bot,), {"decide": lambda self, view, options: decide(view, options)})


def test_a_position_is_a_seed_and_moves_and_never_changes():
    again = Position.start("basari", seats=3, seed="1").play("points", "points", "gems")
    assert again.view() == BARTER.view() != Position.start("basari", seed="8").view()
    assert next_stage(START).view() == next_stage(START).view() != next_stage(BARTER).view()
    assert BARTER.decision == "BARTER_OPEN"
    assert START.asked == (0, 1, 2)


def next_stage(position):
    """Where chance deals anew."""
    while position.view().stage == 1:
        position = position.play(*(position.options(seat)[0] for seat in position.asked))
    return position


def test_a_bot_is_asked_like_in_the_match_of_a_record():
    record = play_match(Curious, "edelsteinsuche", seed="3").record
    noted = [step for step in record["steps"] if "note" in step]
    assert len({step["note"] for step in noted}) > 10
    for step in noted:
        answer = Position.of_record(record, step["i"]).answer(Curious)
        assert (answer.move, answer.note) == (step["move"], step["note"])


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*-3.json")), ids=lambda path: path.stem)
def test_every_decision_of_a_record_is_a_position_in_which_its_move_is_legal(path):
    record = json.loads(path.read_text())
    made = [s for s in record["steps"] if "moves" in s or s.get("forced") is False][:40]
    for step in made:
        position = Position.of_record(path, step["i"])
        moves = step["moves"] if "moves" in step else [step["move"]]
        assert all(m in position.options(s) for s, m in zip(position.asked, moves, strict=True))


def test_fields_of_a_view_can_be_set():
    poor = BARTER.changed({"/seats/0/gems": [0, 0, 0, 2], "/seats/2/points": 40})
    assert list(poor.options(0)) == ["offer 0.0.0.1", "offer 0.0.0.2"]
    assert poor.view().seats[2].points == 40
    assert poor.ask(BasariBot) == "offer 0.0.0.1"
    assert BARTER.view().me.gems == [3, 3, 3, 3]


def test_random_moves_lead_to_the_decision_that_is_wanted():
    position = Position.start("edel-stein-reich", seats=5).play_randomly(until="FREE_TRADE")
    assert position.decision == "FREE_TRADE"
    assert position.ask(EdelSteinReichBot).startswith("trade ")


@pytest.mark.parametrize(
    "asked",
    [
        bot(lambda view, options: "offer 0.0.0.1"),
        bot(lambda view, options: "offer 0.0.0.1")(),
        "from bots_sdk.games.basari import BasariBot\nclass A(BasariBot):\n    pass\n",
    ],
    ids=["a class", "a bot", "a text"],
)
def test_a_bot_its_class_or_its_file_may_be_asked(asked, tmp_path):
    assert BARTER.ask(asked) == "offer 0.0.0.1"
    if isinstance(asked, str):
        path = tmp_path / "mine.py"
        path.write_text(asked)
        assert BARTER.ask(path) == BARTER.ask(str(path)) == "offer 0.0.0.1"


@pytest.mark.parametrize(
    ("decide", "code", "said"),
    [
        (lambda view, options: "offer 9.0.0.0", "E301", "The offer needs 9 red and you have 3."),
        (lambda view, options: None, "E306", "It returned NoneType instead of a move."),
        (lambda view, options: view.gold, "E303", "AttributeError: the view has no 'gold'"),
    ],
)
def test_a_misplay_says_what_was_done_where_and_what_is_legal(decide, code, said):
    with pytest.raises(Misplay) as misplay:
        BARTER.ask(bot(decide))
    assert misplay.value.code == code
    text = str(misplay.value)
    assert text.startswith(code)
    assert "(BARTER_OPEN, seat 0)" in text
    assert said in text
    assert "Legal: offer 0.0.0.1, offer 0.0.1.0, " in text
    assert text.endswith("… (255 in all)")


def test_a_match_against_random_players_raises_the_first_fault():
    assert play_match(BasariBot, "basari", seats=4).outcome.placements[0] in range(1, 5)
    with pytest.raises(Misplay, match=r"E303 .*\(step \d+\).*ZeroDivisionError"):
        play_match(bot(lambda view, options: 1 / 0), "basari")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: START.play("points"), r"CHOOSE_ACTION is decided by 0, 1, 2; got 1 moves\."),
        (lambda: BARTER.play("offer 9.0.0.0"), r"Seat 0 may not .* you have 3\.\nLegal: offer"),
        (lambda: BARTER.changed({"/seats/0/gem": 1}), r"/seats/0 has gems, points, workers, row"),
        (lambda: BARTER.changed({"/round/0": 1}), r"no '/round/0': /round is 1\."),
        (lambda: BARTER.changed({"seats": 1}), r"as a path from the top, such as '/seats/0/gems'"),
        (lambda: START.play_randomly("DRAW"), r"The match ended before a DRAW"),
        (
            lambda: Position.of_record(GOLDEN / "basari-3.json", 1),
            r"Nobody decides in step 1\. Decisions close by: steps 3, ",
        ),
        (
            lambda: Position.of_record(GOLDEN / "basari-3.json", 99999),
            r"Nobody decides in step 99999\.",
        ),
    ],
)
def test_a_mistake_in_a_test_is_explained(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()


def test_the_positions_of_the_check_are_there_for_every_number_of_seats():
    counts = {len(position.view().seats) for position in every_position("basari")}
    assert counts == set(GAMES["basari"].seats)
    assert {len(p.view().seats) for p in every_position("basari", seats=4)} == {4}


def test_a_bot_that_is_random_is_random_in_the_same_way_each_time():
    dice = bot(lambda view, options: options[0])
    dice.decide = lambda self, view, options: self.rng.choice(options)
    assert [START.ask(dice, seed=s) for s in "abcdef"] == [
        START.ask(dice, seed=s) for s in "abcdef"
    ]
    assert len({START.ask(dice, seed=seed) for seed in "abcdefghij"}) == 3


def test_the_fixtures_work_in_a_folder_of_an_author(tmp_path):
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["bots_sdk.fixtures"]\n')
    (tmp_path / "test_mine.py").write_text(
        "from bots_sdk.games.basari import BasariBot\n"
        "from bots_sdk.fixtures import in_every_position\n\n"
        "@in_every_position('basari', seats=3)\n"
        "def test_it_answers(position):\n"
        "    position.ask(BasariBot)\n\n"
        "def test_it_wants_points(position):\n"
        "    assert position('basari', seats=4).ask(BasariBot) == 'nothing'\n"
    )
    assert "1 failed, 40 passed" in (told := run_pytest(tmp_path)), told


WITH_DATA = {
    "bot.py": """
from bots_sdk import Bot

from .taste import first_word


class Tasteful(Bot):
    asked = 0

    def __init__(self):
        with self.open_data("data/liked.txt") as file:
            self.liked = file.read().decode().split()

    def decide(self, view, options):
        type(self).asked += 1
        self.note(f"{self.data_path.name} {self.asked}")
        return next(move for move in options if first_word(move) in self.liked)
""",
    "taste.py": "def first_word(move):\n    return move.partition(' ')[0]\n",
    "data/liked.txt": "gems accept pick trade free",
}


def test_a_bot_with_files_is_asked_by_its_folder_or_its_zip_anew_every_time(tmp_path):
    folder = write(tmp_path / "tasteful", WITH_DATA)
    packed = tmp_path / "tasteful.zip"
    packed.write_bytes(pack(read_folder(folder)))
    for source in (folder, str(folder)):
        answers = [START.answer(source) for _ in range(2)]
        assert [(answer.move, answer.note) for answer in answers] == [("gems", "tasteful 1")] * 2
    assert START.ask(packed) == "gems"


def test_a_class_imported_from_a_folder_finds_the_files_beside_it(tmp_path, monkeypatch):
    write(tmp_path / "tasteful", WITH_DATA)
    monkeypatch.syspath_prepend(tmp_path)
    tasteful = importlib.import_module("tasteful.bot").Tasteful
    assert START.answer(tasteful).note == "tasteful 1"
    assert START.answer(tasteful).note == "tasteful 2"
    assert importlib.import_module("tasteful.bot").Tasteful is tasteful


def test_a_bot_of_a_single_file_is_told_that_it_has_no_data():
    with pytest.raises(Misplay, match="this bot is a single file; pack a folder to bring data"):
        START.ask(bot(lambda *_: Bot().open_data("w.npy")))
