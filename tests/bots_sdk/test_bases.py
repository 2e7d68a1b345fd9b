"""The classes with a method for every decision."""

import subprocess
import sys
from importlib import import_module
from inspect import get_annotations

import pytest

from bots_sdk import View
from bots_sdk.offers import Offer
from engine.registry import GAMES
from engine.rng import Rng
from runners.box.manifest import manifest
from runners.local import LocalPlayer, as_views, load
from runners.match import play
from runners.players import RandomPlayer
from runners.plugins.discovery import kits
from runners.seeds import seat_seed
from tests.engine.tables import every_table

BASES = {
    slug: getattr(import_module(kit.package), kit.base) for slug, kit in kits().items() if kit.base
}
every_base = pytest.mark.parametrize("slug", GAMES)


def visits(game, seats, seed="1"):
    """Positions of a random match: the view and the options of each seat asked."""
    rng, pick = Rng(seed), Rng(f"{seed} moves")
    state = game.start(seats, {}, rng)
    while asked := game.to_move(state):
        for seat in asked:
            yield as_views(game.view(state, seat)), game.options(state, seat)
        moves = [(o := game.options(state, seat))[pick.below(len(o))] for seat in asked]
        game.play(state, moves, rng)


@every_base
def test_a_game_has_a_base_class_that_names_it(slug):
    assert BASES[slug].games == (slug,)


@every_table
def test_the_defaults_of_a_base_class_play_whole_matches_and_no_worse_than_chance(game, seats):
    places = []
    for seed in map(str, range(12)):
        others = [RandomPlayer(seat_seed(seed, seat)) for seat in range(1, seats)]
        played = play(game, [LocalPlayer(BASES[game.slug], seed), *others], seed)
        assert played.faults == []
        places.append(played.outcome.placements[0])
    assert sum(places) / len(places) < (1 + seats) / 2


@every_base
def test_every_decision_of_a_game_has_a_method_of_its_own(slug):
    game, base = GAMES[slug], BASES[slug]
    met = {
        view.decision
        for seed in "1234"
        for seats in game.seats
        for view, _ in visits(game, seats, seed)
    }
    assert met == set(base.methods)
    for name in base.methods.values():
        assert getattr(base, name).__doc__


@every_base
def test_what_a_method_returns_is_the_move(slug):
    game, base = GAMES[slug], BASES[slug]

    class Told(base):
        pass

    for decision, name in base.methods.items():
        setattr(Told, name, lambda self, view, options, said=decision: f"{said} {len(options)}")
    for view, options in visits(game, game.seats[-1]):
        assert Told().decide(view, options) == f"{view.decision} {len(options)}"


def test_an_offer_is_sent_as_its_text_and_nothing_else_is_touched():
    class Says(BASES["basari"]):
        said = None

        def choose_action(self, view, options):
            return self.said

    for said, sent in ((Offer(1, 0, 2), "offer 1.0.2.0"), (None, None), (7, 7)):
        Says.said = said
        assert Says().decide(View(decision="CHOOSE_ACTION"), []) == sent


@every_base
def test_a_typed_view_names_exactly_what_a_seat_is_shown(slug):
    game = GAMES[slug]
    module = import_module(f"bots_sdk.games.{slug.replace('-', '_')}")
    name = BASES[slug].__name__.removesuffix("Bot")
    typed, of_seat = getattr(module, f"{name}View"), getattr(module, f"{name}Seat")
    given = {"news", "time_left_ms"} | {"me", "others"}
    for view, _ in visits(game, game.seats[0]):
        assert named(typed) == set(view) | given
        assert named(of_seat) == set(view.me)
        if view.get("barter"):
            assert named(module.BarterView) == set(view.barter)


def named(cls):
    return {name for one in cls.__mro__ for name in get_annotations(one)}


def test_a_view_knows_who_is_meant_by_me_and_others():
    view = View(seat=1, seats=[View(gems=[1]), View(gems=[2]), View(gems=[3])])
    assert view.me is view.seats[1] is view["seats"][1]
    assert view.others == [2, 0]
    with pytest.raises(AttributeError, match="the view has no 'me'; it has gems"):
        view.me.me  # noqa: B018


def test_the_bases_import_nothing_heavy():
    places = (place for place in manifest().files if place.startswith("bots_sdk/"))
    places = (place for place in places if not place.startswith("bots_sdk/search/"))
    places = (place for place in places if "/house/" not in place)
    # A policy asks for these itself; they bring numpy.
    places = (place for place in places if "/rl/" not in place and not place.endswith("/rl.py"))
    modules = ", ".join(place[:-3].removesuffix("/__init__").replace("/", ".") for place in places)
    program = f"import sys; import {modules}; print(*sys.modules)"
    command = [sys.executable, "-S", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = set(done.stdout.split())
    assert "bots_sdk.games.basari" in found
    assert not found & {"typing", "re", "json", "random", "dataclasses", "functools", "runners"}


@every_base
def test_a_view_is_all_a_searching_bot_needs(slug):
    source = f"""
from bots_sdk import Bot
from engine.registry import find
from engine.rng import Rng

class Searcher(Bot):
    def decide(self, view, options):
        game = find({slug!r})
        position = game.imagine(view, Rng(str(view.time_left_ms)))
        assert game.to_move(position) == tuple(view.asked)
        assert list(game.options(position, view.seat)) == list(options)
        game.play(position, [options[0] for _ in view.asked], Rng("x"))
        return options[-1]
"""
    game = GAMES[slug]
    players = [load(source)(str(seat)) for seat in range(game.seats[0])]
    assert play(game, players, "5").faults == []
