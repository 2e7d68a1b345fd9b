"""Every game with every number of seats, and matches at random on them."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from engine.game import Game
from engine.record.recorder import Record, Recorder, write
from engine.registry import GAMES
from engine.rng import Rng


def _tables(games: Iterable[Game]) -> list[Any]:
    return [
        pytest.param(game, seats, id=f"{game.slug}-{seats}")
        for game in games
        for seats in game.seats
    ]


TABLES = _tables(GAMES.values())
every_table = pytest.mark.parametrize(("game", "seats"), TABLES)
every_table_that_imagines = pytest.mark.parametrize(
    ("game", "seats"), _tables(game for game in GAMES.values() if game.can_imagine)
)

_VARIANTS: dict[str, list[dict[str, Any]]] = {
    "edel-stein-reich": [
        {},
        {"max_offers": 2},
        {"event_reshuffle": "lazy", "majority_bonus": "flat7"},
    ],
    "basari": [{}, {"max_offers": 1}],
    "edelsteinsuche": [{}, {"max_turns_per_seat": 3}, {"dealer": 0}],
}


def variants(game: Game) -> list[dict[str, Any]]:
    """Return options with which a game is tested: the default, and what we know to matter."""
    return _VARIANTS.get(game.slug, [{}])


def at_random(game: Game, state: object, pick: Rng) -> list[str]:
    """Return one legal move for every seat asked."""
    return [
        options[pick.below(len(options))]
        for options in (game.options(state, seat) for seat in game.to_move(state))
    ]


def positions(
    game: Game, seats: int, seed: str, options: dict[str, Any] | None = None
) -> list[object]:
    """Return a copy of every position of a random match in which somebody is asked."""
    rng, pick = Rng(seed), Rng(f"{seed} moves")
    state = game.start(seats, options or {}, rng)
    copies = []
    while game.to_move(state):
        copies.append(game.clone(state))
        game.play(state, at_random(game, state, pick), rng)
    return copies


def recorded(
    game: Game,
    seats: int,
    seed: str,
    options: dict[str, Any] | None = None,
    watch: Callable[[object, Recorder], None] | None = None,
) -> Record:
    """Return the record of a random match. `watch` is called after each step."""
    rng, pick = Rng(seed), Rng(f"{seed} moves")
    recorder = Recorder(game)

    def listen(t: str, state: object, fields: dict[str, Any]) -> None:
        recorder(t, state, fields)
        if watch:
            watch(state, recorder)

    state = game.start(seats, options or {}, rng, listen)
    while game.to_move(state):
        game.play(state, at_random(game, state, pick), rng, listen)
    outcome = game.outcome(state)
    assert outcome is not None
    return write(
        recorder,
        options=game.resolve_options(seats, options),
        seed=seed,
        seats=[{"name": f"bot {seat}", "bot": None, "version": None} for seat in range(seats)],
        outcome=outcome,
    )


def everything(state: object) -> dict[str, Any]:
    """Return all that a position holds, for comparing two of them."""
    slots = [name for kind in type(state).__mro__ for name in vars(kind).get("__slots__", ())]
    fields = {name: getattr(state, name) for name in slots} | getattr(state, "__dict__", {})
    # What views are copied from is seen in the views; having looked changes nothing else.
    fields.pop("sights", None)
    if "moves" in fields:
        fields["moves"] = list(fields["moves"])[:50]
    if fields.get("barter") is not None:
        barter = fields["barter"]
        fields["barter"] = {name: getattr(barter, name) for name in barter.__slots__}
    return fields
