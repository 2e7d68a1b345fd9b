"""The house bots: found, readable, accepted like any upload, and faultless at every table."""

import ast
from functools import cache

import pytest

from bots_sdk import house
from engine.registry import GAMES
from runners.limits import DEFAULT
from runners.local import load
from runners.match import play
from runners.seeds import seat_seed
from runners.upload.source import outline_own, read_text

GAMES_AND_BOTS = [(game, name) for game in GAMES for name in house.names(game)]
TABLES = [(game, seats) for game, facts in GAMES.items() for seats in facts.seats]
EVERYWHERE = {"random", "greedy", "searcher"}
FILL_A_TABLE = 5

each_bot = pytest.mark.parametrize(("game", "name"), GAMES_AND_BOTS)


@cache
def program(game, name):
    return load(house.path(game, name))


def match(game, names, seed):
    players = [program(game, name)(seat_seed(seed, seat)) for seat, name in enumerate(names)]
    return play(GAMES[game], players, seed)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_bots_enough_to_fill_a_table(game):
    assert set(house.names(game)) >= EVERYWHERE
    assert len(house.names(game)) >= FILL_A_TABLE


@each_bot
def test_a_house_bot_is_a_file_that_anybody_could_upload(game, name):
    text = read_text(house.files(game)[name].read_bytes(), DEFAULT)
    outline = outline_own(text)
    assert not outline.problems
    assert {module.split(".")[0] for module in outline.imports} >= {"bots_sdk"}
    assert outline.games == (game,)


@each_bot
def test_a_house_bot_introduces_itself_in_a_sentence(game, name):
    first, *_ = (ast.get_docstring(ast.parse(house.source(game, name))) or "").splitlines()
    assert first.lower().startswith(name)
    assert first.endswith((".", ","))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_all_house_bots_play_at_every_table_without_a_fault(game, seats):
    names = house.names(game)
    for first in range(0, len(names), seats):
        table = [names[(first + seat) % len(names)] for seat in range(seats)]
        played = match(game, table, f"house {first}")
        assert played.faults == []


@pytest.mark.parametrize("game", GAMES)
def test_house_bots_play_a_match_the_same_way_again(game):
    most = GAMES[game].seats[-1]
    table = ["searcher", *(name for name in house.names(game) if name != "searcher")][:most]
    assert match(game, table, "again").outcome == match(game, table, "again").outcome


@pytest.mark.parametrize("game", GAMES)
def test_greedy_beats_random_by_far(game):
    seats = GAMES[game].seats[0]
    wins = 0
    for deal in range(10):
        played = match(game, ["greedy"] + ["random"] * (seats - 1), f"sanity {deal}")
        wins += played.outcome.placements[0] == 1
    assert wins >= 8
