"""The chances in matches of a game from outside, which brings no policy: random moves play on."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
from dataclasses import replace

from bots_sdk.chances import estimate as module
from bots_sdk.chances.points import MAX_POINTS
from bots_sdk.chances.story import story_text
from engine.registry import GAMES
from tests.engine.tables import recorded

game = GAMES["tidepool"]
for seats in game.seats:
    record = recorded(game, seats, "chances")
    plays = 0

    def play(*told):
        global plays
        plays += 1
        return game.play(*told)

    module.game_of = lambda _: replace(game, play=play)
    chances = module.estimate(record)
    assert chances == module.estimate(record)
    assert chances.policy == "random moves"
    assert {sum(row.chances) for row in chances.rows} == {1000}
    assert 1 < len(chances.rows) <= MAX_POINTS
    assert 8 <= chances.playouts <= module.MAX_PLAYOUTS
    assert plays <= 2 * 1.1 * module.MAX_COST
    story = story_text(record, chances, game.presentation)
    assert 3 <= len(story) <= 5
    print(seats, *story)
"""


def test_every_table_of_a_game_from_outside_has_chances_and_a_story(environment):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        check=False,
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == list("234567")
