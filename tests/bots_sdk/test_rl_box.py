"""A trained policy in the league: what it sees in the box is what the environment shows."""

import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from bots_sdk import View
from bots_sdk.rl import GemEnv, Turn, choose_move
from bots_sdk.rl.discovery import find_encoding
from engine.registry import GAMES
from runners.box.modes import Mode
from runners.boxed import boxed_players
from runners.limits import Limits
from runners.match import play
from runners.plugins.discovery import kits
from tests.runners.boxes import loaded

KARAT = Path(sys.executable).with_name("karat")
TABLES = [("edel-stein-reich", 5), ("basari", 5), ("edelsteinsuche", 3)]
PATIENT = replace(Limits(), decision_cpu_ms=1000, load_cpu_ms=4000, load_wall_ms=16000)
SOURCE = """
from hashlib import sha256

from bots_sdk import Bot
from bots_sdk.rl import choose_move
from {module} import ENCODING


class PolicyBot(Bot):
    games = ("{slug}",)

    def decide(self, view, options):
        self.digests = []
        move = choose_move(ENCODING, view, options, self.policy)
        self.note(" ".join(self.digests))
        return move

    def policy(self, observation, mask):
        self.digests.append(sha256(observation.tobytes() + mask.tobytes()).hexdigest()[:16])
        legal = mask.nonzero()[0]
        return int(legal[int(self.digests[-1], 16) % len(legal)])
"""


def source(slug):
    return SOURCE.format(module=f"{kits()[slug].package}.rl", slug=slug)


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_a_policy_in_the_box_sees_what_the_environment_shows(slug, seats):
    match = GemEnv(slug, seats)
    match.reset(seed=7)
    with boxed_players([source(slug)] * seats, match.match_seed, PATIENT) as players:
        played = play(match.game, players, match.match_seed, recorded=True)
    assert played.faults == []
    seen_in_box = [digest for note in notes(played.record) for digest in note.split()]
    assert seen_in_box == digests(match)
    assert played.outcome == match.game.outcome(match.position)


def notes(record):
    """All notes of a match in the order of the decisions, seats that choose together ascending."""
    for step in record["steps"]:
        note = step.get("note")
        yield from filter(None, note if isinstance(note, list) else [note])


def digests(match):
    """What the same policy sees in the environment, action by action."""
    seen = []
    while not any(match.terminations.values()):
        observation = match.observe(match.agent_selection)
        numbers, mask = observation["observation"], observation["action_mask"]
        seen.append(sha256(numbers.tobytes() + mask.tobytes()).hexdigest()[:16])
        legal = mask.nonzero()[0]
        match.step(int(legal[int(seen[-1], 16) % len(legal)]))
    return seen


@pytest.mark.parametrize("slug", GAMES)
def test_a_policy_passes_the_check_of_the_league(slug, tmp_path):
    (tmp_path / "policy_bot.py").write_text(source(slug))
    done = subprocess.run(
        [KARAT, "check", "policy_bot.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Ready to upload" in done.stdout


def test_the_encodings_need_nothing_in_the_box_but_numpy(monkeypatch):
    # A template has more loaded than a bot asks for.
    monkeypatch.setenv("SANDBOX", Mode.BWRAP)
    imports = "\n".join(f"import {kits()[slug].package}.rl" for slug in GAMES)
    forbidden = "{'gymnasium', 'pettingzoo', 'runners', 'importlib.metadata', 'json'}"
    bot = f"""
import sys
from bots_sdk import Bot
from bots_sdk.rl import Turn, choose_move
{imports}
assert "numpy" in sys.modules
assert not {forbidden} & set(sys.modules), sorted(sys.modules)

class Importing(Bot):
    pass
"""
    with loaded(bot, PATIENT) as box:
        assert box.reply.message == {"loaded": True}, box.reply


def test_a_turn_is_said_action_by_action():
    encoding = find_encoding("basari")
    match = GemEnv("basari", 3)
    match.reset(seed=7)
    turn = Turn(encoding, View(match.view("seat_0")), ["workers", "points", "gems"])
    with pytest.raises(ValueError, match="these are: workers, points, gems"):
        turn.act(encoding.actions.index("accept"))
    assert turn.move is None
    turn.act(encoding.actions.index("gems"))
    assert turn.move == "gems"
    with pytest.raises(ValueError, match="'gems' is complete"):
        turn.act(encoding.actions.index("gems"))


def test_a_policy_may_return_numbers_of_numpy():
    match = GemEnv("basari", 3)
    match.reset(seed=7)
    view, options = View(match.view("seat_0")), ["workers", "points", "gems"]
    best = choose_move(match.encoding, view, options, lambda numbers, mask: np.argmax(mask))
    assert best == "workers"
