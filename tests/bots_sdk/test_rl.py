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
from bots_sdk.rl.discovery import NoEncoding, find_encoding
from bots_sdk.rl.encoding import Encoding
from bots_sdk.testing import play_match
from engine.barter.gems import PER_COLOUR, pack
from engine.barter.offers import Offers
from engine.registry import GAMES
from engine.rng import Rng

PAGE = Path(__file__).parents[2] / "docs" / "reinforcement-learning.md"
TABLES = [(slug, seats) for slug, game in GAMES.items() for seats in game.seats]
ADVICE = (
    # Against observations that are a dictionary, in which all of PettingZoo's own card and board
    # games have their mask.
    "Observation is not a NumPy array",
    "Observation space for each agent probably",
    # Matches are drawn by the viewer, from records.
    "Environment has not defined a render",
)


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
        for advice in ADVICE:
            warnings.filterwarnings("ignore", advice)
        api_test(env(slug, seats), num_cycles=40)
        seed_test(lambda: env(slug, seats), num_cycles=40)
    assert "Passed API test" in capsys.readouterr().out


def all_sayings(encoding, options, seat, seats):
    """Every move that can be said, found by saying everything."""
    sayings, unfinished = {}, [()]
    while unfinished:
        begun = unfinished.pop()
        for action, move in encoding.next_actions(options, begun, seat, seats).items():
            if move is None:
                unfinished.append((*begun, action))
            else:
                sayings[*begun, action] = move
    return sayings


@pytest.mark.parametrize("slug", GAMES)
def test_every_legal_move_can_be_said_and_nothing_else(slug):
    game, rng, words = GAMES[slug], Rng(slug), set()
    encoding = find_encoding(slug)
    for seats in game.seats * 3:
        state = game.start(seats, {}, rng)
        while asked := game.to_move(state):
            moves = [game.options(state, seat) for seat in asked]
            if len(moves[0]) < 300:
                sayings = all_sayings(encoding, moves[0], asked[0], seats)
                assert sorted(sayings.values()) == sorted(moves[0])
                for parts, move in sayings.items():
                    assert encoding.spell(move, asked[0], seats) == parts
                    assert set(parts) <= set(encoding.actions)
                    assert len(parts) <= encoding.parts
                words |= {move.partition(" ")[0] for move in sayings.values()}
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
    assert sorted(all_sayings(find_encoding("basari"), offers, 0, 3).values()) == sorted(offers)


def test_the_largest_hand_there_is_can_be_offered_as_a_whole():
    encoding, offers, begun = find_encoding("basari"), Offers((), pack([PER_COLOUR] * 4)), ()
    for _ in range(4):
        assert encoding.next_actions(offers, begun, 0, 3)
        begun += (f"count {PER_COLOUR}",)
    assert encoding.next_actions(offers, begun[:3], 0, 3)[begun[3]] == "offer 22.22.22.22"


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


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_the_numbers_of_a_position_are_those_of_the_view_and_of_its_features(slug, seats):
    match, act = GemEnv(slug, seats), by_chance("numbers")
    game, encoding = match.game, match.encoding
    match.reset(seed=2)
    while not any(match.terminations.values()):
        for seat in range(seats):
            view = game.view(match.position, seat)
            numbers = encoding.encode(view)
            assert numbers == encoding.encode_position(game, match.position, seat)
            assert numbers == Encoding.encode(encoding, view)
        match.step(act(match))


def test_an_observation_belongs_to_the_caller():
    match = GemEnv("basari", 3)
    match.reset(seed=1)
    first = match.observe("seat_0")
    first["observation"][:] = 7
    first["action_mask"][:] = 0
    assert match.observe("seat_0")["observation"].max() < 7
    assert match.observe("seat_0")["action_mask"].sum() == 3


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
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    namespaces: list[dict] = [{"__name__": "page"} for _ in blocks]
    for block, names in zip(blocks, namespaces, strict=True):
        exec(block, names)
    (training,) = (names for names in namespaces if "preference" in names)
    assert np.mean(training["rewards"]) > 0.3, capsys.readouterr().out
    assert training["preference"].argmax() == training["show"]
    (bot,) = (names["PolicyBot"] for names in namespaces if "PolicyBot" in names)
    assert play_match(bot, "edelsteinsuche").faults == []
    assert 'pip install "karat-league[rl] @ https://' in page
    for game in GAMES.values():
        sizes = [_size(game.slug, seats) for seats in game.seats]
        name = game.name.partition(":")[0]
        assert f"| {name} | {', '.join(map(str, game.seats))} | {', '.join(sizes)} |" in page
        assert f"| {name} | {len(find_encoding(game.slug).actions)} |" in page


def _size(slug, seats):
    return str(GemEnv(slug, seats).observation_space("seat_0")["observation"].shape[0])


def test_the_kit_does_without_the_extra_and_says_what_is_missing():
    program = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "import bots_sdk, bots_sdk.games.edelsteinsuche, bots_sdk.testing\n"
        "assert not {'numpy', 'gymnasium'} & set(sys.modules)\n"
        "from bots_sdk.rl import choose_move\n"
        "from bots_sdk.rl import env"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert ran.returncode == 1
    assert "bots_sdk.rl.env needs pettingzoo; install it with: make setup" in ran.stderr


def test_an_environment_needs_no_other_import():
    program = "from bots_sdk.rl import env; print(env('basari', seats=3).metadata['name'])"
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout == "basari_3\n"


def test_a_game_without_an_encoding_is_refused_with_the_file_that_is_missing(monkeypatch):
    monkeypatch.setattr("bots_sdk.rl.discovery.kits", dict)
    with pytest.raises(NoEncoding, match=r"basari .* a file rl\.py is not installed"):
        GemEnv("basari", 3)
