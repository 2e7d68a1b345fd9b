"""The test set of a check: positions that random players come to."""

from engine.game import Game, Seat
from engine.rng import Rng

FIXED_SEED = "upload check"
"""For anybody who wants to see the same thing twice."""
QUESTIONS = 40
"""Positions that are asked for each number of seats."""


def positions(game: Game, seats: int, seed: str = FIXED_SEED) -> list[tuple[object, Seat]]:
    """Return positions that random players came to by this seed, each with the seat to ask."""
    rng, pick = Rng(f"{seed} {seats}"), Rng(f"{seed} {seats} moves")
    state = game.start(seats, {}, rng)
    questions: list[tuple[object, Seat]] = []
    while (asked := game.to_move(state)) and len(questions) < QUESTIONS:
        questions.append((game.clone(state), asked[len(questions) % len(asked)]))
        moves = [(o := game.options(state, seat))[pick.below(len(o))] for seat in asked]
        game.play(state, moves, rng)
    return questions
