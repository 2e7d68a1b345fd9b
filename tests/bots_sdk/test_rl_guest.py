"""Bots as guests of an environment: the match is the one that they would play without it."""

import numpy as np
import pytest

from bots_sdk import house
from bots_sdk.games.edelsteinsuche.rl import ENCODING, OWN_GEM_FIRST
from bots_sdk.rl import GemEnv, Guest
from bots_sdk.rl.legal import spell_out
from engine.games.edelsteinsuche import GAME
from engine.registry import GAMES
from engine.rng import Rng
from runners.local import load
from runners.match import play
from runners.seeds import seat_seed

TABLES = [
    ("edel-stein-reich", ["ottilie", "zita", "greedy"]),
    ("edel-stein-reich", ["greedy", "anton", "ottilie", "zita", "random"]),
    ("basari", ["leila", "samira", "karim"]),
    ("basari", ["greedy", "leila", "random", "karim", "samira"]),
    ("edelsteinsuche", ["searcher", "hedwig"]),
    ("edelsteinsuche", ["greedy", "magpie", "mole", "random"]),
]
SILENT = """
from bots_sdk import Bot

class Silent(Bot):
    def decide(self, view, options):
        return "nothing"
"""


def play_out(match, guests):
    match.reset(seed=7)
    while not any(match.terminations.values()):
        match.step(guests[match.agent_selection].act(match))


@pytest.mark.parametrize(("slug", "names"), TABLES)
def test_guests_play_the_match_that_they_play_without_an_environment(slug, names):
    programs = [load(house.path(slug, name)) for name in names]
    match = GemEnv(slug, len(names), news=True)
    play_out(match, dict(zip(match.possible_agents, map(Guest, programs), strict=True)))
    seed = match.match_seed
    players = [program(seat_seed(seed, seat)) for seat, program in enumerate(programs)]
    assert play(GAMES[slug], players, seed).outcome == match.game.outcome(match.position)


def test_one_guest_can_take_all_seats_of_one_match_after_the_other():
    match, guest = GemEnv("basari", 3), Guest(house.path("basari", "greedy"))
    for _ in range(2):
        play_out(match, dict.fromkeys(match.possible_agents, guest))
        assert sum(match.rewards.values()) == pytest.approx(0)


def test_a_guest_of_two_environments_at_once_remembers_both():
    leila = Guest(house.path("basari", "leila"))
    matches = [GemEnv("basari", 3, news=True) for _ in range(2)]
    for seed, match in enumerate(matches):
        match.reset(seed=seed)
    while running := [match for match in matches if not any(match.terminations.values())]:
        for match in running:
            match.step(leila.act(match))
    program = load(house.path("basari", "leila"))
    for match in matches:
        players = [program(seat_seed(match.match_seed, seat)) for seat in range(3)]
        result = play(match.game, players, match.match_seed)
        assert result.outcome == match.game.outcome(match.position)


def test_a_guest_that_fails_makes_the_fallback_move():
    match = GemEnv("basari", 3)
    play_out(match, dict.fromkeys(match.possible_agents, Guest(SILENT)))
    state = GAMES["basari"].start(3, match.options, rng := Rng(match.match_seed))
    while asked := match.game.to_move(state):
        fallbacks = [match.game.fallback(state, seat) for seat in asked]
        match.game.play(state, fallbacks, rng)
    assert match.game.outcome(match.position) == match.game.outcome(state)


@pytest.mark.parametrize("slug", GAMES)
def test_the_actions_of_every_move_make_that_move(slug):
    game, rng = GAMES[slug], Rng("moves")
    match = GemEnv(slug, game.seats[-1])
    for seed in range(3):
        match.reset(seed=seed)
        while not any(match.terminations.values()):
            seat = match.possible_agents.index(match.agent_selection)
            options = match.game.options(match.position, seat)
            move = options[rng.below(len(options))]
            numbers = spell_out(match.encoding, move, options, seat, match.seats)
            for number in numbers:
                assert match.agent_selection == f"seat_{seat}"
                mask = match.observe(match.agent_selection)["action_mask"]
                assert mask[number]
                assert number == numbers[0] or mask.sum() > 1
                match.step(number)


def test_the_own_gem_has_the_first_name_whatever_it_is():
    match = GemEnv("edelsteinsuche", 3, encoding=OWN_GEM_FIRST)
    plain = GemEnv("edelsteinsuche", 3)
    own_gems = set()
    for seed in range(12):
        match.reset(seed=seed)
        plain.reset(seed=seed)
        layout = match.layout()
        seen, usual = (one.observe("seat_1")["observation"] for one in (match, plain))
        assert seen[layout["seat 0 gem"]].tolist() == [1, 0, 0, 0]
        own_gems.add(int(usual[layout["seat 0 gem"]].argmax()))
        own_row = layout["row 0 cards"]
        own_cards = usual[own_row].reshape(5, 4, 5)[:, int(usual[layout["seat 0 gem"]].argmax())]
        assert np.array_equal(seen[own_row].reshape(5, 4, 5)[:, 0], own_cards)
        assert np.sort(seen).tolist() == np.sort(usual).tolist()
    assert own_gems == {0, 1, 2, 3}


def test_the_other_names_are_the_same_in_a_view_and_in_a_position():
    rng = Rng("names")
    state = GAME.start(4, GAME.resolve_options(4), rng)
    while asked := GAME.to_move(state):
        for seat in range(4):
            view = GAME.view(state, seat)
            assert OWN_GEM_FIRST.encode(view) == OWN_GEM_FIRST.encode_position(GAME, state, seat)
            assert (
                OWN_GEM_FIRST.legal(["show"], (), seat, 4).mask
                == ENCODING.legal(["show"], (), seat, 4).mask
            )
        options = GAME.options(state, asked[0])
        GAME.play(state, [options[rng.below(len(options))]], rng)
