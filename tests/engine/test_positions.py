"""How many ways a few small fixed positions can go on, counted by playing them all.

The numbers were worked out by hand or by a separate count, so that a move that is lost or gained
anywhere in the rules of barter, exchange or choice shows here.
"""

from itertools import product

import pytest

from engine.barter.gems import PER_COLOUR, pack, unpack
from engine.registry import GAMES
from engine.rng import Rng

ESR, BASARI, EDE = (GAMES[slug] for slug in ("edel-stein-reich", "basari", "edelsteinsuche"))


def paths(game, state, stop, depth=99):
    """The number of different ways to play on until `stop` holds or this many moves were made."""
    if depth == 0 or stop(state):
        return 1
    seats = game.to_move(state)
    total = 0
    for moves in product(*(list(game.options(state, seat)) for seat in seats)):
        after = game.clone(state)
        game.play(after, list(moves), Rng("any"))
        total += paths(game, after, stop, depth - 1)
    return total


def hold(state, *hands):
    """Give the seats these gems; the supply holds the rest."""
    state.gems = [pack(hand) for hand in hands]
    state.supply = pack([PER_COLOUR - sum(column) for column in zip(*hands, strict=True)])
    assert min(unpack(state.supply)) >= 0
    return state


def no_barter(state):
    return state.barter is None


@pytest.mark.parametrize(
    ("opener", "other", "ways"),
    [
        pytest.param([0, 0, 0, 1], [0, 0, 0, 1], 3, id="a blue each"),
        pytest.param([0, 0, 0, 1], [0, 0, 1, 0], 4, id="blue against green"),
        pytest.param([0, 0, 1, 0], [0, 1, 0, 1], 6, id="green against yellow and blue"),
        pytest.param([0, 0, 0, 2], [0, 0, 0, 3], 7, id="two blue against three"),
        pytest.param([0, 0, 0, 0], [1, 0, 0, 1], 3, id="nothing to open with"),
    ],
)
def test_the_ways_an_edel_stein_reich_barter_can_go(opener, other, ways):
    state = hold(ESR.start(3, {}, Rng("barter")), opener, other, [5, 5, 5, 5])
    ESR.play(state, ["money", "money", "gems"], Rng("any"))
    assert paths(ESR, state, no_barter) == ways == barters(opener, other, may_decline=True)


@pytest.mark.parametrize(
    ("opener", "other", "ways"),
    [
        pytest.param([0, 0, 1, 0], [0, 0, 0, 1], 1, id="a single gem must be offered and wins"),
        pytest.param([0, 1, 0, 1], [0, 0, 1, 0], 6, id="yellow and blue against green"),
        pytest.param([0, 0, 0, 3], [0, 0, 0, 2], 5, id="three blue against two"),
    ],
)
def test_the_ways_a_basari_barter_can_go(opener, other, ways):
    state = hold(BASARI.start(3, {}, Rng("barter")), opener, other, [5, 5, 5, 5])
    BASARI.play(state, ["points", "points", "gems"], Rng("any"))
    assert paths(BASARI, state, no_barter) == ways == barters(opener, other, may_decline=False)


def barters(opener, other, may_decline):
    """The same count from the text of the rules alone."""
    hands = opener, other

    def offers(hand, standing):
        parts = product(*(range(n + 1) for n in hand))
        return [part for part in parts if any(part) and (sum(part), part) > standing]

    def answers(turn, standing):
        higher = offers(hands[turn], standing)
        return 1 + sum(answers(1 - turn, (sum(part), part)) for part in higher)

    opened = sum(answers(1, (sum(part), part)) for part in offers(opener, (0, ())))
    singles = sum(1 for count in other if count)
    return opened + (singles + 1 if may_decline else 0)


@pytest.mark.parametrize(
    ("depth", "ways"),
    [
        pytest.param(1, 2, id="normal or unique"),
        pytest.param(2, 2 * 15, id="any of fifteen cards"),
        # Of the fifteen cards in other rows, `mine` are of the own type and may also be shown.
        pytest.param(3, None, id="five places to hide, and the own type can be shown"),
    ],
)
def test_the_ways_a_first_turn_of_edelsteinsuche_can_go(depth, ways):
    state = EDE.start(4, {"dealer": 3}, Rng("search"))
    rows = EDE.view(state)["rows"]
    own_type = EDE.view(state)["seats"][0]["type"]
    mine = sum(slot["card"][0] == own_type for row in rows[1:] for slot in row)
    expected = 2 * (15 * 5 + mine) if ways is None else ways
    assert paths(EDE, state, lambda _: False, depth) == expected


@pytest.mark.parametrize(("game", "seats", "ways"), [(ESR, 3, 27), (ESR, 5, 1024), (BASARI, 4, 81)])
def test_every_seat_may_choose_every_action(game, seats, ways):
    state = game.start(seats, {}, Rng("choice"))
    assert paths(game, state, lambda _: False, depth=1) == ways
