"""Our engine at random play: bare, with a view for every decision, and with whole records."""

import gzip
import json
from collections.abc import Callable
from itertools import count
from random import Random
from statistics import median

from engine.game import Game
from engine.record.recorder import Record, Recorder, write
from engine.rng import Rng


def bare(game: Game, seats: int) -> Callable[[], int]:
    """Matches of random legal bots, every move validated."""
    numbers, chance = count(), Random(1).random
    start, to_move, options, play = game.start, game.to_move, game.options, game.play

    def one() -> int:
        rng = Rng(f"bench {next(numbers)}")
        state = start(seats, {}, rng)
        decisions = 0
        while asked := to_move(state):
            moves = []
            for seat in asked:
                legal = options(state, seat)
                moves.append(legal[int(chance() * len(legal))])
                decisions += 1
            play(state, moves, rng)
        return decisions

    return one


def with_views(game: Game, seats: int) -> Callable[[], int]:
    """The same, and every seat asked is shown its full view."""
    numbers, chance = count(), Random(1).random

    def one() -> int:
        rng = Rng(f"bench {next(numbers)}")
        state = game.start(seats, {}, rng)
        decisions = 0
        while asked := game.to_move(state):
            moves = []
            for seat in asked:
                game.view(state, seat)
                options = game.options(state, seat)
                moves.append(options[int(chance() * len(options))])
            decisions += len(moves)
            game.play(state, moves, rng)
        return decisions

    return one


def records(game: Game, seats: int) -> Callable[[], int]:
    """Finished records with all steps."""
    numbers = count()

    def one() -> int:
        record(game, seats, f"bench {next(numbers)}")
        return 1

    return one


def record(game: Game, seats: int, seed: str) -> Record:
    """The record of one random match."""
    rng, chance, recorder = Rng(seed), Random(seed).random, Recorder(game)
    state = game.start(seats, {}, rng, recorder)
    while asked := game.to_move(state):
        moves = [(o := game.options(state, seat))[int(chance() * len(o))] for seat in asked]
        game.play(state, moves, rng, recorder)
    outcome = game.outcome(state)
    assert outcome is not None
    seated = [{"name": "random", "bot": None, "version": None}] * seats
    return write(
        recorder, options=game.resolve_options(seats), seed=seed, seats=seated, outcome=outcome
    )


def gzipped_size(game: Game, seats: int) -> float:
    """Median size of a compressed record, in kilobytes."""
    texts = [
        json.dumps(record(game, seats, f"size {k}"), ensure_ascii=False, separators=(",", ":"))
        for k in range(41)
    ]
    return median(len(gzip.compress(text.encode(), 9)) for text in texts) / 1024
