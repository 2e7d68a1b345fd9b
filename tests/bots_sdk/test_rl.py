"""The environments: PettingZoo accepts them, every legal move can be said, nothing leaks."""

import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test  # type: ignore[import-untyped]

from bots_sdk.rl import GemEnv, env
from bots_sdk.rl.encoding import ALPHABETS, next_actions, spell
from engine.barter.gems import PER_COLOUR, pack
from engine.barter.offers import Offers
from engine.registry import GAMES
from engine.rng import Rng

PAGE = Path(__file__).parents[2] / "docs" / "reinforcement-learning.md"
TABLES = [(slug, seats) for slug, game in GAMES.items() for seats in game.seats]
# PettingZoo advises against observations that are a dictionary, in which all its own card and
# board games have their mask.
DICTIONARY = ("Observation is not a NumPy array", "Observation space for each agent probably")


def play(match, seed, act):
    match.reset(seed=seed)
    while not any(match.terminations.values()):
        match.step(act(match))


def by_chance(seed):
    rng = Rng(seed)

    def act(match):
        legal = np.flatnonzero(match.observe(match.agent_selection)["action_mask"])
        return int(legal[rng.below(len(legal))])

    return act


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_pettingzoo_accepts_the_environment_and_its_seeds(slug, seats, capsys):
    with warnings.catch_warnings():
        for advice in DICTIONARY:
            warnings.filterwarnings("ignore", advice)
        api_test(env(slug, seats), num_cycles=40)
        seed_test(lambda: env(slug, seats), num_cycles=40)
    assert "Passed API test" in capsys.readouterr().out


def all_sayings(options, seat, seats):
    """Every move that can be said, found by saying everything."""
    found, begun = {}, [()]
    while begun:
        said = begun.pop()
        for action, move in next_actions(options, said, seat, seats).items():
            if move is None:
                begun.append((*said, action))
            else:
                found[*said, action] = move
    return found


@pytest.mark.parametrize("slug", GAMES)
def test_every_legal_move_can_be_said_and_nothing_else(slug):
    game, rng, words = GAMES[slug], Rng(slug), set()
    for seats in game.seats * 3:
        state = game.start(seats, {}, rng)
        while asked := game.to_move(state):
            moves = [game.options(state, seat) for seat in asked]
            if len(moves[0]) < 300:
                said = all_sayings(moves[0], asked[0], seats)
                assert sorted(said.values()) == sorted(moves[0])
                assert all(spell(move, asked[0], seats) == parts for parts, move in said.items())
                assert {part for parts in said for part in parts} <= set(ALPHABETS[slug])
                words |= {move.partition(" ")[0] for move in said.values()}
            game.play(state, [some[rng.below(len(some))] for some in moves], rng)
    assert words == WORDS[slug], "some kind of move was never looked at"


WORDS = {
    "edel-stein-reich": set(
        "money event gems free offer accept decline open hidden use swap score strip take trade"
        " pick".split()
    ),
    "basari": set("workers points gems free offer accept trade pick".split()),
    "edelsteinsuche": set("normal unique draw hide show stop continue".split()),
}


@pytest.mark.parametrize("above", [0, pack([1, 2, 0, 0]) | 3 << 20, pack([0, 0, 0, 5]) | 5 << 20])
def test_an_offer_can_be_said_exactly_if_it_is_legal(above):
    offers = Offers(("accept",), pack([2, 1, 3, 4]), above)
    assert sorted(all_sayings(offers, 0, 3).values()) == sorted(offers)


def test_the_largest_hand_there_is_can_be_offered_as_a_whole():
    offers, said = Offers((), pack([PER_COLOUR] * 4)), ()
    for _ in range(4):
        assert next_actions(offers, said, 0, 3)
        said += (f"count {PER_COLOUR}",)
    assert next_actions(offers, said[:3], 0, 3)[said[3]] == "offer 22.22.22.22"


@pytest.mark.parametrize(("slug", "seats"), [("edel-stein-reich", 3), ("basari", 5)])
def test_a_choice_and_a_half_said_move_are_seen_by_nobody_else(slug, seats):
    match, other = GemEnv(slug, seats), GemEnv(slug, seats)
    match.reset(seed=3)
    other.reset(seed=3)
    first, second = (int(action) for action in np.flatnonzero(_mask(match))[:2])
    match.step(first)
    other.step(second)
    for agent in match.agents:
        assert match.agent_selection == other.agent_selection == "seat_1"
        assert np.array_equal(_seen(match, agent), _seen(other, agent))
    act, one_red = by_chance("barter"), match.actions.index("count 1")
    while not _mask(match)[one_red] or match.view("seat_0")["decision"] != "BARTER_OPEN":
        match.step(act(match))
    speaker = match.agent_selection
    before = {agent: _seen(match, agent) for agent in match.agents}
    match.step(one_red)
    assert match.agent_selection == speaker
    for agent in match.agents:
        assert np.array_equal(before[agent], _seen(match, agent)) is (agent != speaker)


def _mask(match):
    return match.observe(match.agent_selection)["action_mask"]


def _seen(match, agent):
    return match.observe(agent)["observation"]


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_the_rewards_are_the_places_and_add_up_to_nothing(slug, seats):
    match = GemEnv(slug, seats, {"max_turns_per_seat": 4} if slug == "edelsteinsuche" else None)
    play(match, 5, by_chance("places"))
    rewards = list(match.rewards.values())
    places = match.game.outcome(match.position).placements
    assert sum(rewards) == pytest.approx(0)
    assert [1 + sum(other > own for other in rewards) for own in rewards] == places
    assert max(rewards) == 1 or places.count(1) > 1


def test_an_illegal_action_is_refused_with_those_that_are_legal():
    match = GemEnv("basari", 3)
    match.reset(seed=1)
    with pytest.raises(ValueError, match="these are: workers, points, gems"):
        match.step(match.actions.index("accept"))


def test_without_a_seed_the_next_match_is_another_one():
    match = GemEnv("edelsteinsuche", 2)
    match.reset(seed=1)
    first = _seen(match, "seat_0")
    match.reset()
    assert not np.array_equal(first, _seen(match, "seat_0"))
    match.reset(seed=1)
    assert np.array_equal(first, _seen(match, "seat_0"))


def test_the_page_is_true(capsys):
    page = PAGE.read_text(encoding="utf-8")
    for block in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        names: dict = {}
        exec(block, names)
    assert np.mean(names["rewards"]) > 0.3, capsys.readouterr().out
    assert names["preference"].argmax() == names["show"]
    for game in GAMES.values():
        sizes = [_size(game.slug, seats) for seats in game.seats]
        name = game.name.partition(":")[0]
        assert f"| {name} | {', '.join(map(str, game.seats))} | {', '.join(sizes)} |" in page
        assert f"| {name} | {len(ALPHABETS[game.slug])} |" in page


def _size(slug, seats):
    return str(GemEnv(slug, seats).observation_space("seat_0")["observation"].shape[0])


def test_the_kit_does_without_the_extra_and_says_what_is_missing():
    program = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "import bots_sdk, bots_sdk.games.edelsteinsuche, bots_sdk.testing\n"
        "assert not {'numpy', 'gymnasium'} & set(sys.modules)\n"
        "import bots_sdk.rl"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert ran.returncode == 1
    assert "bots_sdk.rl needs pettingzoo; install what it needs with: pip" in ran.stderr
