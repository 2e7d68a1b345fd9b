"""The trained house bots: bundles of a network, which play in boxes and beat greedy."""

import re
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

from bots_sdk import house
from engine.registry import GAMES
from runners.box.manifest import manifest
from runners.boxed import boxed_players
from runners.local import load
from runners.match import play
from runners.seeds import seat_seed

MAX_BYTES = 1 << 20
"""Of all weights of a game."""
BOTS = [(game, name) for game in GAMES for name in house.names(game) if house.folder(game, name)]
DEALS = 16
WITHOUT_NUMPY = (
    "import sys; sys.modules['numpy'] = None\n"
    "from bots_sdk.cli import main\n"
    "sys.argv[0] = 'karat'; main()"
)

each_bot = pytest.mark.parametrize(("game", "name"), BOTS)


@cache
def program(game, name):
    return load(house.path(game, name))


def test_every_game_has_a_trained_bot():
    assert [game for game, _ in BOTS] == list(GAMES)


@each_bot
def test_it_is_a_small_bundle(game, name):
    bundle = house.bundle(game, name)
    assert bundle.entry == "bot.py"
    assert bundle.files["bot.py"].decode() == house.source(game, name)
    assert bundle.listing.data_bytes <= MAX_BYTES
    assert {path.rpartition(".")[2] for path in bundle.files} == {"py", "npy"}


@each_bot
def test_its_weights_are_numbers(game, name):
    for path in house.folder(game, name).glob("layer*.npy"):
        weights = np.load(path)
        assert weights.dtype == np.float16
        assert np.isfinite(weights).all()


@each_bot
def test_it_finishes_ahead_of_most_greedy_bots(game, name):
    ahead = []
    seats = GAMES[game].seats[1]
    for deal in range(DEALS):
        seed = f"trained {deal}"
        table = [name if seat == deal % seats else "greedy" for seat in range(seats)]
        players = [program(game, one)(seat_seed(seed, seat)) for seat, one in enumerate(table)]
        places = play(GAMES[game], players, seed).outcome.placements
        own = places.pop(table.index(name))
        ahead += [(own < other) + (own == other) / 2 for other in places]
    assert np.mean(ahead) > 0.6


@each_bot
def test_it_plays_in_boxes_without_a_fault_and_as_it_does_outside(game, name):
    seats, seed = GAMES[game].seats[-1], "boxed"
    with boxed_players([house.code(game, name)] * seats, seed) as players:
        boxed = play(GAMES[game], players, seed)
    assert boxed.faults == []
    here = [program(game, name)(seat_seed(seed, seat)) for seat in range(seats)]
    assert boxed.outcome == play(GAMES[game], here, seed).outcome


@each_bot
def test_nobody_inherits_from_it_without_its_files(game, name):
    assert not [module for module in manifest().house if module.rpartition(".")[2] == name]
    assert not [place for place in manifest().files if f"/house/{name}" in place]


def test_a_single_file_is_no_bundle():
    assert house.bundle("basari", "greedy") is None
    assert house.path("basari", "greedy") == house.files("basari")["greedy"]
    assert house.code("basari", "greedy") == house.source("basari", "greedy")


def karat_without_numpy(*arguments):
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMPY, *arguments],
        check=False,
        capture_output=True,
        text=True,
    )


@each_bot
def test_without_numpy_the_command_says_that_it_needs_it(game, name):
    done = karat_without_numpy("play", game, "--bots", name, "--seats", str(GAMES[game].seats[0]))
    assert done.returncode == 2
    words = " ".join(re.findall(r"[^\s│]+", done.stderr))
    assert f"The house bot {name} is a trained network and needs numpy" in words
    assert "make setup" in words


def test_without_numpy_the_other_bots_play_and_a_list_names_all():
    assert karat_without_numpy("play", "basari", "--bots", "greedy", "--seats", "3").returncode == 0
    unknown = karat_without_numpy("play", "basari", "--bots", "nobody", "--seats", "3")
    names = [name for game, name in BOTS if game == "basari"]
    assert unknown.returncode == 2
    assert all(name in unknown.stderr for name in names)
