"""Decisions per CPU second of the rules of the checkout whose interpreter runs this, as JSON.

    rules.py SECONDS    {"edel-stein-reich, 3 seats": …, "edelsteinsuche, 2 seats": …, …}

Every seat that is asked is shown its full view. Imports nothing of `tests`.
"""

import json
import sys
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import process_time
from typing import Any

from engine.rng import Rng


def load_games() -> Any:
    """Return all games by slug; the former registry was another module."""
    # Whoever plays matches brings the games.
    import_module("runners.match")
    name = "engine.registry" if find_spec("engine.registry") else "engine.games"
    return import_module(name).GAMES


def decisions_per_second(game: Any, seats: int, seconds: float) -> float:
    """Play random legal matches."""
    chance, number, decisions, started_at = Random(1).random, 0, 0, process_time()
    while (used := process_time() - started_at) < seconds:
        number += 1
        rng = Rng(f"bench {number}")
        state = game.start(seats, {}, rng)
        while asked := game.to_move(state):
            moves = []
            for seat in asked:
                game.view(state, seat)
                options = game.options(state, seat)
                moves.append(options[int(chance() * len(options))])
            decisions += len(moves)
            game.play(state, moves, rng)
    return decisions / used


def main(seconds: float) -> None:
    """Measure every case."""
    games = load_games()
    tables = [("edel-stein-reich", 3), *(("edelsteinsuche", n) for n in (2, 3, 4))]
    figures = {
        f"{slug}, {seats} seats": decisions_per_second(games[slug], seats, seconds)
        for slug, seats in tables
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main(float(sys.argv[1]))
