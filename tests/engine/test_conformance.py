"""What every game owes to the rest of Karat, over every game and number of seats."""

import copy
import json
import re
import string

import pytest
from hypothesis import given, settings, strategies as st

from engine.game import BadSetup, IllegalMove
from engine.record.patch import apply
from engine.record.verify import verify
from engine.registry import GAMES
from engine.rng import Rng
from tests.engine.brute_force import imaginable_moves
from tests.engine.tables import (
    at_random,
    every_table,
    every_table_that_imagines,
    everything,
    positions,
    recorded,
    variants,
)

seeds = st.integers(0, 10**9).map(str)
few = settings(max_examples=6)


@every_table
@few
@given(seed=seeds)
def test_cards_and_gems_are_conserved(game, seats, seed):
    check = CONSERVED.get(game.slug, _nothing_known)
    for variant in variants(game):
        for state in positions(game, seats, seed, variant):
            check(state)


def _nothing_known(state):
    """Of a game from elsewhere it is not known here what its positions hold."""


def _barter_gems(state):
    view_gems = [[g >> 15, g >> 10 & 31, g >> 5 & 31, g & 31] for g in [*state.gems, state.supply]]
    assert [sum(colour) for colour in zip(*view_gems, strict=True)] == [22, 22, 22, 22]


def _edel_stein_reich(state):
    _barter_gems(state)
    catalogue = GAMES["edel-stein-reich"].catalogue
    cards = [*state.gem_pile, *state.used, *state.set_aside, *state.cards]
    cards += [*state.event_pile, *state.discards, *(c for held in state.held for c in held)]
    cards += [card for card in (state.event, state.using) if card]
    assert sorted(cards) == sorted(catalogue)


def _basari(state):
    _barter_gems(state)
    cards = [*state.pile, *(card for row in state.rows for card in row)]
    assert sorted(cards) == sorted(GAMES["basari"].catalogue)


def _edelsteinsuche(state):
    view = GAMES["edelsteinsuche"].view(state)
    cards = [slot["card"] for row in view["rows"] for slot in row if slot["card"]]
    cards += [view["hand"]] if view["hand"] else []
    assert len(cards) == len(set(cards)) == 20


CONSERVED = {
    "edel-stein-reich": _edel_stein_reich,
    "basari": _basari,
    "edelsteinsuche": _edelsteinsuche,
}


@every_table
@few
@given(seed=seeds)
def test_a_game_ends_within_its_bound_with_places_and_scores(game, seats, seed):
    for variant in variants(game):
        rng, pick, decisions = Rng(seed), Rng(seed + "m"), 0
        state = game.start(seats, variant, rng)
        while asked := game.to_move(state):
            assert game.outcome(state) is None
            decisions += len(asked)
            game.play(state, at_random(game, state, pick), rng)
        assert decisions <= game.max_decisions(seats, game.resolve_options(seats, variant))
        outcome = game.outcome(state)
        assert len(outcome.placements) == len(outcome.scores) == seats
        assert min(outcome.placements) == 1
        assert all(
            place == 1 + sum(other < place for other in outcome.placements)
            for place in outcome.placements
        )
        with pytest.raises(ValueError, match="over"):
            game.play(state, [], rng)


@every_table
@settings(max_examples=3)
@given(seed=seeds)
def test_options_why_not_and_play_agree_and_equal_brute_force(game, seats, seed):
    for state in one_of_each_decision(game, positions(game, seats, seed)):
        for number, seat in enumerate(game.to_move(state)):
            options = game.options(state, seat)
            legal = list(options)
            assert len(legal) == len(options) == len(set(legal)) > 1
            assert legal[-1] == options[len(options) - 1] == options[-1]
            assert legal[:3] == options[:3] or tuple(legal[:3]) == options[:3]
            tried = imaginable_moves(game, state, seat)
            assert {move for move in tried if move in options} == set(legal)
            for move in tried:
                assert (game.illegal_reason(state, seat, move) is None) is (move in options)
                assert _can_play(game, state, number, move) is (move in options)


def one_of_each_decision(game, states):
    """Return for every kind of decision the position with the fewest options: all are slow."""
    smallest = {}
    for state in states:
        size = len(game.options(state, game.to_move(state)[0]))
        kind = getattr(state, "decision", None)
        if size < smallest.get(kind, (size + 1, None))[0]:
            smallest[kind] = size, state
    return [state for _, state in smallest.values()]


def _can_play(game, state, number, move):
    trial = game.clone(state)
    moves = [game.fallback(state, seat) for seat in game.to_move(state)]
    moves[number] = move
    try:
        game.play(trial, moves, Rng("any"))
    except IllegalMove as refused:
        problems = [] if refused.reason.endswith(".") else ["the reason is no sentence"]
        problems += [] if refused.seat == game.to_move(state)[number] else ["a wrong seat"]
        problems += [] if everything(trial) == everything(state) else ["the position changed"]
        assert not problems, move
        return False
    return True


@every_table
@few
@given(seed=seeds)
def test_the_fallback_is_legal_and_a_whole_match_of_fallbacks_ends(game, seats, seed):
    for state in positions(game, seats, seed):
        for seat in game.to_move(state):
            assert game.fallback(state, seat) in game.options(state, seat)
    rng = Rng(seed)
    state = game.start(seats, {}, rng)
    while asked := game.to_move(state):
        game.play(state, [game.fallback(state, seat) for seat in asked], rng)


@every_table
@few
@given(seed=seeds)
def test_a_seat_that_is_not_asked_has_no_options(game, seats, seed):
    for state in positions(game, seats, seed):
        for seat in set(range(seats)) - set(game.to_move(state)):
            assert len(game.options(state, seat)) == 0
            assert game.illegal_reason(state, seat, "anything").startswith("It is not your turn.")


@every_table
@few
@given(seed=seeds)
def test_one_move_for_each_seat_asked_is_needed(game, seats, seed):
    state = positions(game, seats, seed)[0]
    moves = [game.fallback(state, seat) for seat in game.to_move(state)]
    with pytest.raises(ValueError, match="moves were given"):
        game.play(state, [*moves, moves[0]], Rng("any"))


@every_table
@few
@given(seed=seeds)
def test_patches_reproduce_the_spectator_view_after_every_step(game, seats, seed):
    patched = {}

    def watch(state, recorder):
        step = recorder.steps[-1]
        if step["i"] == 0:
            patched.update(copy.deepcopy(step["view"]))
        else:
            apply(patched, copy.deepcopy(step["set"]))
        assert patched == game.view(state)

    for variant in variants(game):
        patched.clear()
        recorded(game, seats, seed, variant, watch)


@every_table_that_imagines
@few
@given(seed=seeds)
def test_hidden_cards_do_not_influence_a_view(game, seats, seed):
    """Imagining deals every card anew that the seat may not know; the seat sees no difference."""
    for number, state in enumerate(positions(game, seats, seed)[::2]):
        for seat in range(seats):
            view = game.view(state, seat)
            assert game.view(game.imagine(view, Rng(str(number))), seat) == view


@every_table_that_imagines
@settings(max_examples=3)
@given(seed=seeds)
def test_an_imagined_position_can_be_played_to_its_end(game, seats, seed):
    for number, state in enumerate(positions(game, seats, seed)[::9]):
        seat = number % seats
        rng, pick = Rng(f"{number}"), Rng(f"{number} moves")
        trial = game.imagine(json.loads(json.dumps(game.view(state, seat))), rng)
        assert game.to_move(trial) == game.to_move(state)
        while game.to_move(trial):
            game.play(trial, at_random(game, trial, pick), rng)
        assert game.outcome(trial) is not None


@every_table
@few
@given(seed=seeds)
def test_views_are_plain_json_of_their_own(game, seats, seed):
    for state in positions(game, seats, seed)[::3]:
        before = copy.deepcopy(everything(state))
        for seat in (None, *range(seats)):
            view = game.view(state, seat)
            assert _same(json.loads(json.dumps(view)), view)
            _spoil(view)
        assert everything(state) == before


def _same(a, b):
    """Return whether both are equal with equal types: a tuple is no list, true is no 1."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(_same, a, b))
    return a == b


def _spoil(value):
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, dict | list):
            _spoil(item)
    value.clear()


@every_table
@few
@given(seed=seeds)
def test_a_clone_goes_its_own_way(game, seats, seed):
    for number, state in enumerate(positions(game, seats, seed)[::7]):
        before = copy.deepcopy(everything(state))
        trial = game.clone(state)
        assert everything(trial) == before
        rng, pick = Rng(f"{number}"), Rng(f"{number} moves")
        while game.to_move(trial):
            game.play(trial, at_random(game, trial, pick), rng)
        assert everything(state) == before


@every_table
@few
@given(seed=seeds)
def test_the_same_seed_and_moves_give_the_same_record_which_verifies(game, seats, seed):
    for variant in variants(game):
        record = recorded(game, seats, seed, variant)
        assert recorded(game, seats, seed, variant) == record
        assert json.loads(json.dumps(record)) == record
        verify(record)


@every_table
@few
@given(seed=seeds)
def test_every_step_is_told_in_a_sentence(game, seats, seed):
    names = {str(seat) for seat in range(seats)} | {"card", "out"}
    for step in recorded(game, seats, seed)["steps"]:
        text = step["text"]
        assert re.fullmatch(r"[A-Z{].*[a-z0-9}”]\.", text), text
        fields = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
        assert fields <= names, text


@every_table
def test_another_number_of_seats_is_refused_with_the_numbers_that_work(game, seats):
    for wrong in {0, 1, max(game.seats) + 1, -3} - set(game.seats):
        with pytest.raises(BadSetup, match=r"is played by .* seats, not"):
            game.start(wrong, {}, Rng("any"))


@every_table
def test_an_unknown_option_or_value_is_refused_with_what_there_is(game, seats):
    with pytest.raises(BadSetup, match="has no option 'colour'"):
        game.start(seats, {"colour": 1}, Rng("any"))
    for name in game.options_allowed:
        for value in (True, "nonsense", -1, 10**9, 1.5, [], {}):
            with pytest.raises(BadSetup, match=f"{name} cannot be"):
                game.start(seats, {name: value}, Rng("any"))
