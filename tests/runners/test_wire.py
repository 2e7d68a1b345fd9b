"""What crosses the wire of a box: the version, views and news that wait, and few system calls."""

import json
import shutil
import subprocess
import sys

import pytest

from engine.registry import GAMES
from runners import json_text
from runners.box import launch
from runners.box.launch import Box
from runners.boxed import boxed_players
from runners.failures import InfrastructureError
from runners.inside_box import answering
from runners.json_text import encode, encode_slowly
from runners.limits import Limits
from runners.local import LocalPlayer
from runners.match import play
from runners.news import News
from runners.protocol import READY, VERSION, parse
from runners.seeds import seat_seed
from tests.runners.boxes import ROOT, answer_of, bot

HASHER = """
import json
from zlib import crc32
from bots_sdk import Bot

class Hasher(Bot):
    def decide(self, view, options):
        seen = dict(view)
        seen.pop("time_left_ms")
        text = json.dumps([seen, view.news, list(options)])
        move = options[crc32(text.encode()) % len(options)]
        {further}
        return move
"""
MUTATE = """for value in list(view.values()):
            if isinstance(value, (list, dict)): value.clear()
        view.clear()"""


def test_a_box_says_which_protocol_it_speaks():
    assert parse(answering.READY.encode()) == READY == {"ready": True, "protocol": VERSION}


def test_a_box_of_another_protocol_is_our_failure(monkeypatch):
    monkeypatch.setattr(launch, "READY", {"ready": True, "protocol": VERSION + 1})
    box = Box(Limits())
    try:
        with pytest.raises(InfrastructureError, match="another protocol"):
            box.wait_ready()
    finally:
        box.close()


def play_hashers(game, players):
    options = {"max_turns_per_seat": 6} if game.slug == "edelsteinsuche" else {}
    played = play(game, players, "wire", options=options, recorded=True)
    assert not played.faults
    return played.record["digest"]


@pytest.mark.parametrize("further", ["", MUTATE], ids=["reads", "reads and destroys"])
@pytest.mark.parametrize("slug", GAMES)
def test_a_boxed_bot_sees_the_same_as_one_in_this_process(slug, further):
    game = GAMES[slug]
    seats = game.seats[-1]
    plain = HASHER.format(further="")
    local = [LocalPlayer(plain, seat_seed("wire", seat)) for seat in range(seats)]
    sources = [HASHER.format(further=further)] * seats
    with boxed_players(sources, "wire") as boxed:
        assert play_hashers(game, boxed) == play_hashers(game, local)


def test_a_bot_that_looks_at_nothing_leaves_everything_unread():
    reply = answer_of(bot("return type(view).__module__ + type(view).__name__"))
    assert reply.message["move"] == "inside_box.unreadView"


def test_both_writers_of_json_say_the_same():
    value = {
        "view": {"a": [1]},
        "text": 'é "quoted" \n\0 ☃',
        "none": None,
        "half": 0.5,
        "true": True,
    }
    assert json.loads(encode(value)) == json.loads(encode_slowly(value)) == value
    assert b"\n" not in encode(value) + encode_slowly(value)


@pytest.mark.parametrize("value", [type("Own", (str,), {})("a"), type("Own", (int,), {})(3)])
def test_a_game_may_have_texts_and_numbers_of_its_own(value):
    assert json.loads(encode({"view": [value]})) == {"view": [value]}


def test_half_a_character_crosses_as_a_question_mark():
    assert encode(["a\ud800"]) == encode_slowly(["a\ud800"]) == b'["a?"]'


def test_boxes_are_asked_without_msgspec_too(monkeypatch):
    monkeypatch.setattr(json_text, "encode_quickly", None)
    assert answer_of(bot("return f'{view.news} {options[1]}'")).message["move"] == "[] b"


def test_news_is_the_same_as_json_and_as_steps():
    news = News()
    news("start", None, {"cards": ["a"]})
    news("peek", None, {"card": "b", "slot": 3, "for": {"card": [1]}})
    other = news.copy()
    for seat in (0, 1):
        assert json.loads(news.read_json(seat)) == other.read(seat)
        assert news.read_json(seat) == b"[]"
    news("end", None, {})
    assert json.loads(news.read_json(0)) == [{"i": 2, "t": "end"}]
    assert json.loads(other.read_json(0)) == []


REFEREE = """
from engine.registry import GAMES
from runners.boxed import boxed_players
from runners.match import play
from tests.runners.boxes import FIRST
with boxed_players([FIRST] * 2, "7") as players:
    played = play(GAMES["edelsteinsuche"], players, "7", options={"max_turns_per_seat": 40})
print(played.decisions)
"""


def count_calls(counts):
    """How many decisions a referee made, and how many system calls of some kinds it needed."""
    command = ["strace", "-c", "-o", counts, "-e", "trace=sendto,recvfrom,pread64,pselect6"]
    done = subprocess.run(
        [*command, sys.executable, "-c", REFEREE],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    if done.returncode:
        pytest.skip("nobody may be traced here")
    rows = [line.split() for line in counts.read_text().splitlines()[2:]]
    calls = {row[-1]: int(row[3]) for row in rows if len(row) in (5, 6) and row[3].isdigit()}
    return int(done.stdout), calls


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_a_quick_decision_costs_the_referee_few_system_calls(tmp_path):
    # On a busy host bots wait for a core, and then it is worth a look: some tries are allowed.
    for _ in range(5):
        decisions, calls = count_calls(tmp_path / "counts")
        assert decisions > 50
        looks = calls.get("pread64", 0) + calls.get("pselect6", 0)
        if looks <= decisions / 2:
            break
    # The boxes take some to start and end. A look at every decision would be one for each.
    assert calls["sendto"] <= decisions + 10
    assert calls["recvfrom"] <= decisions * 2 + 10
    assert looks <= decisions
