"""Training in a short form: it runs, it learns, and what it writes is a bot."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from bots_sdk.rl import GemEnv
from bots_sdk.rl.network import Network
from bots_sdk.training.course import train
from bots_sdk.training.export import export
from bots_sdk.training.improvement import improve
from bots_sdk.training.inputs import Inputs
from bots_sdk.training.network import LearningNetwork, probabilities
from bots_sdk.training.recipe import encoding_of, find_recipe
from bots_sdk.training.tables import Experience, FinishedMatch
from engine.registry import GAMES
from runners.bundles.pack import read_folder
from runners.local import load
from runners.match import play
from runners.seeds import seat_seed

SHORT = {"lessons": 12, "epochs": 8, "rounds": 1, "matches": 2, "hidden": (48, 24)}


@cache
def graduate(game, seed=7):
    said: list[str] = []
    return train(game, replace(find_recipe(game), **SHORT), seed, said.append), said


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_trained_and_its_network_learns_from_the_teacher(game):
    trained, said = graduate(game)
    assert trained.losses[-1] < trained.losses[0] - 0.02
    assert len(said) == 1 + SHORT["epochs"] + SHORT["rounds"]


def test_the_same_seed_makes_the_same_network_and_another_one_another():
    one, _ = graduate("basari", 7)
    other, _ = graduate("basari", 8)
    graduate.cache_clear()
    again, _ = graduate("basari", 7)
    for weights, same in zip(one.network.weights, again.network.weights, strict=True):
        assert np.array_equal(weights, same)
    assert not np.array_equal(one.network.weights[0], other.network.weights[0])


@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_is_a_bot_that_plays_at_every_table(game, tmp_path):
    trained, _ = graduate(game)
    folder = tmp_path / "my_net"
    files = export(trained, game, find_recipe(game), folder)
    assert {path.name for path in files} == {path.name for path in folder.iterdir()}
    assert read_folder(folder).entry == "bot.py"
    program = load(folder)
    for seats in GAMES[game].seats:
        players = [program(seat_seed("written", seat)) for seat in range(seats)]
        result = play(GAMES[game], players, "written")
        assert result.faults == []
        assert result.notices == []


@pytest.mark.parametrize("game", GAMES)
def test_the_files_say_what_the_trained_network_says(game, tmp_path):
    trained, _ = graduate(game)
    recipe = find_recipe(game)
    export(trained, game, recipe, tmp_path)
    encoding = encoding_of(game, recipe)
    for seats in GAMES[game].seats:
        match = GemEnv(game, seats, encoding=encoding)
        match.reset(seed=3)
        seen = match.observe(match.agent_selection)["observation"]
        row = np.zeros((1, trained.inputs.size), np.float32)
        trained.inputs.write(row[0], seen, seats)
        preferences, _ = trained.network.judge(row)
        layers = [np.load(tmp_path / f"layer{number}.npy") for number in (1, 2, 3)]
        judged = Network(layers, np.load(tmp_path / f"inputs{seats}.npy")).judge(seen)
        assert judged.dtype == np.float32
        assert judged == pytest.approx(preferences[0], abs=0.02)


def test_observations_of_all_tables_share_their_inputs():
    encoding = encoding_of("basari", find_recipe("basari"))
    inputs = Inputs("basari", encoding)
    for seats in GAMES["basari"].seats:
        match = GemEnv("basari", seats)
        match.reset(seed=5)
        row = np.zeros(inputs.size, np.float32)
        inputs.write(row, match.observe("seat_0")["observation"], seats)
        own_gems = GemEnv("basari", 5).layout()["seat 0 gems"]
        assert (row[own_gems] * 22).round().tolist() == match.view("seat_0")["seats"][0]["gems"]
        assert row[-3:].tolist() == [seats == 3, seats == 4, seats == 5]


def test_what_went_better_than_expected_becomes_more_likely():
    chance = np.random.default_rng(1)
    network = LearningNetwork((4, 8), 3, chance)
    situation, mask = np.ones((1, 4), np.float32), np.array([1, 1, 0], np.int8)

    def chances():
        return probabilities(network.judge(situation)[0], mask[None])[0]

    before = chances()
    for _ in range(30):
        actions = chance.choice(3, size=64, p=chances())
        improve(
            network, [_match(situation[0], mask, int(a), chances()) for a in actions], 1e-2, chance
        )
    assert before[1] < 0.7
    assert chances()[1] > 0.9
    assert chances()[2] == 0


def _match(situation, mask, action, chances):
    """A match of a single decision, in which action 1 wins."""
    reward = 1.0 if action == 1 else -1.0
    experience = Experience([situation], [mask], [action], [chances[action]], [0.0], reward)
    return FinishedMatch([None], [reward], {0: experience})


def test_slopes_are_those_of_the_loss():
    chance = np.random.default_rng(2)
    network = LearningNetwork((3, 5), 2, chance)
    inputs = chance.random((4, 3), np.float32)
    wanted = chance.random((4, 2), np.float32)

    def error():
        preferences, expected = network.judge(inputs)
        return float(((preferences - wanted) ** 2).sum() + (expected**2).sum())

    before = error()
    for _ in range(200):
        network.learn(inputs, lambda p, e: (2 * (p - wanted), 2 * e), 1e-2)
    assert error() < before / 50


def test_a_game_without_a_recipe_learns_from_its_first_house_bot(monkeypatch):
    monkeypatch.setattr("bots_sdk.training.recipe.MODULE", "no_such_module")
    recipe = find_recipe("basari")
    assert recipe.teacher in recipe.opponents
    assert (recipe.bot, recipe.encoding) == (None, None)
