"""Matches side by side are the matches one by one."""

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from bots_sdk.rl import GemEnv, VectorGemEnv
from engine.registry import GAMES

COUNT = 5
SHORT = {"edelsteinsuche": {"max_turns_per_seat": 3}}
TABLES = [(slug, seats) for slug, game in GAMES.items() for seats in game.seats]


def choices(masks, chance):
    return (chance.random(masks.shape) * masks).argmax(axis=1)


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_every_match_is_that_of_a_single_environment_beyond_its_end(slug, seats):
    together = VectorGemEnv(slug, seats, COUNT, SHORT.get(slug))
    alone = [GemEnv(slug, seats, SHORT.get(slug)) for _ in range(COUNT)]
    chance, ends = np.random.default_rng(3), 0
    seen, infos = together.reset(seed=11)
    for index, match in enumerate(alone):
        match.reset(seed=11 + index)
    while ends < 3 * COUNT:
        for index, match in enumerate(alone):
            assert match.agent_selection == f"seat_{infos['seat'][index]}"
            one = match.observe(match.agent_selection)
            assert np.array_equal(one["observation"], seen["observation"][index])
            assert np.array_equal(one["action_mask"], seen["action_mask"][index])
        actions = choices(seen["action_mask"], chance)
        seen, rewards, terminations, truncations, infos = together.step(actions)
        for index, match in enumerate(alone):
            match.step(int(actions[index]))
            assert rewards[index].tolist() == np.float32([*match.rewards.values()]).tolist()
            assert terminations[index] == all(match.terminations.values())
            if terminations[index]:
                match.reset()
        ends += int(terminations.sum())
        assert not truncations.any()


def test_the_same_seeds_and_actions_play_the_same_matches():
    runs = []
    for _ in range(2):
        matches, chance = VectorGemEnv("edelsteinsuche", 2, 3), np.random.default_rng(1)
        seen, _ = matches.reset(seed=[5, 6, 5])
        run = []
        for _ in range(400):
            seen, *rest, infos = matches.step(choices(seen["action_mask"], chance))
            run.append((*(part.tobytes() for part in (*seen.values(), *rest)), infos["seat"]))
        runs.append([(*parts, seats.tolist()) for *parts, seats in run])
    assert runs[0] == runs[1]


def test_a_reset_without_a_seed_goes_on_by_chance():
    matches = VectorGemEnv("edelsteinsuche", 2, 2)
    first, _ = matches.reset(seed=[5, 5])
    assert np.array_equal(*first["observation"])
    second, _ = matches.reset()
    assert not np.array_equal(first["observation"], second["observation"])


def test_spaces_and_arrays_agree():
    matches = VectorGemEnv("basari", 4, 3)
    seen, infos = matches.reset(seed=1)
    assert seen in matches.observation_space
    assert matches.observation_space["observation"].shape == (3, 153)
    actions = choices(seen["action_mask"], np.random.default_rng(1))
    assert actions in matches.action_space
    _, rewards, terminations, _, _ = matches.step(actions)
    assert rewards.shape == (3, 4)
    assert terminations.shape == infos["seat"].shape == (3,)
    assert matches.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


def test_an_illegal_action_is_refused_before_any_match_goes_on():
    matches = VectorGemEnv("basari", 3, 4)
    before, _ = matches.reset(seed=1)
    accept = matches.actions.index("accept")
    reason = rf"match 2: {accept} is not a legal action here; these are: workers, points, gems"
    with pytest.raises(ValueError, match=reason):
        matches.step([0, 0, accept, 0])
    after, *_ = matches.step([0, 0, 0, 0])
    again = VectorGemEnv("basari", 3, 4)
    again.reset(seed=1)
    assert np.array_equal(again.step([0] * 4)[0]["observation"], after["observation"])
    assert not np.array_equal(before["observation"], after["observation"])


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda matches: matches.step([0]), "4 matches and 1 actions"),
        (lambda matches: matches.reset(seed=[1, 2]), "4 matches and 2 seeds"),
        (lambda _: VectorGemEnv("basari", 3, 0), "at least 1, not 0"),
    ],
)
def test_a_wrong_number_is_named(call, reason):
    matches = VectorGemEnv("basari", 3, 4)
    matches.reset(seed=1)
    with pytest.raises(ValueError, match=reason):
        call(matches)


def test_arrays_are_copied_unless_somebody_does_without():
    for copy in (True, False):
        matches = VectorGemEnv("basari", 3, 2, copy=copy)
        first, _ = matches.reset(seed=1)
        kept = first["observation"].copy()
        second, *_ = matches.step([0, 0])
        assert np.array_equal(first["observation"], kept) is copy
        assert (second["observation"] is first["observation"]) is not copy
