"""The limit of offers: who has the last word in a barter, and that bots can see it coming."""

import pytest

from engine.game import PUBLIC
from engine.record.redact import redact
from engine.registry import GAMES
from engine.rng import Rng
from tests.engine.tables import recorded

BARTER_GAMES = [GAMES[slug] for slug in ("edel-stein-reich", "basari")]
each_game = pytest.mark.parametrize("game", BARTER_GAMES, ids=lambda game: game.slug)


def haggle(game, seats, seed, options, look):
    """Play a match in which everybody raises by the smallest step; `look` at every question."""
    rng, pick = Rng(seed), Rng(f"{seed} moves")
    steps = []
    state = game.start(seats, options, rng, lambda t, _, fields: steps.append({"t": t, **fields}))
    while asked := game.to_move(state):
        moves = []
        for seat in asked:
            look(state, seat)
            legal = game.options(state, seat)
            at = pick.below(len(legal))
            if state.barter:
                at = int(legal[0] in ("accept", "decline"))
            moves.append(legal[at])
        game.play(state, moves, rng, lambda t, _, fields: steps.append({"t": t, **fields}))
    return steps


def barters(steps):
    """The openers and the seats that offered, of each barter."""
    found = []
    for step in steps:
        if step["t"] == "barter":
            found.append((step["opener"], []))
        elif step["t"] == "offer":
            found[-1][1].append(step["seat"])
    return found


@each_game
@pytest.mark.parametrize(("limit", "opener_has_it"), [(60, False), (7, True), (6, False)])
def test_the_last_word_is_the_second_seats_if_the_limit_is_even(game, limit, opener_has_it):
    steps = haggle(game, 3, "haggle", {"max_offers": limit}, lambda *_: None)
    met = [(opener, offers) for opener, offers in barters(steps) if len(offers) == limit]
    assert len(met) > len(barters(steps)) / 3
    assert all((offers[-1] == opener) is opener_has_it for opener, offers in met)


@each_game
def test_a_seat_is_told_how_many_offers_are_left(game):
    told = set()

    def look(state, seat):
        seen = game.view(state, seat)
        if state.barter is None:
            assert seen["offers_left"] is None
            return
        assert seen["offers_left"] == 7 - state.barter.offers
        told.add(seen["offers_left"])
        imagined = game.imagine(seen, Rng("imagine"))
        assert game.view(imagined, seat)["offers_left"] == seen["offers_left"]

    haggle(game, 3, "haggle", {"max_offers": 7}, look)
    assert told == set(range(1, 8))


@each_game
def test_only_a_seat_that_plays_is_told(game):
    record = recorded(game, 3, "told")

    def look(state, _):
        for view in (game.view(state), game.view(state, PUBLIC)):
            assert "offers_left" not in view
            assert "offers_left" not in (view["barter"] or {})

    haggle(game, 3, "haggle", {}, look)
    assert "offers_left" not in str(record)
    assert "offers_left" not in str(redact(record, 0))
