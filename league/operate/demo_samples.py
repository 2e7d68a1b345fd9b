"""Really played matches that the matches of a made-up league are drawn from.

Whatever a game's scores mean and however bots play it, made-up matches look like played ones, with
no knowledge of any game.
"""

from dataclasses import dataclass
from random import Random

from engine.registry import GAMES
from league.matches.statistics.counting import styles_of
from league.matches.statistics.style import Counts
from runners import match as runner
from runners.players import RandomPlayer

SAMPLE_COUNT = 8
"""So many matches of each game and number of seats are played."""


@dataclass(frozen=True, slots=True)
class Sample:
    """How a match went that random moves played."""

    results: list[tuple[int, int]]
    """Place and score of every seat, the best first."""
    styles: list[Counts] | None
    decisions: int


class Samples:
    """Some matches of each game and number of seats, played when they are first needed."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._samples: dict[tuple[str, int], list[Sample]] = {}

    def draw(self, game: str, seat_count: int) -> Sample:
        """Return one of the matches with so many seats."""
        key = (game, seat_count)
        if key not in self._samples:
            self._samples[key] = [_play(*key, seed=f"sample {n}") for n in range(SAMPLE_COUNT)]
        return self._rng.choice(self._samples[key])


def _play(game: str, seat_count: int, seed: str) -> Sample:
    players = [RandomPlayer(f"{seed} {seat}") for seat in range(seat_count)]
    result = runner.play(GAMES[game], players, seed, recorded=True)
    assert result.record is not None
    outcome = result.outcome
    return Sample(
        results=sorted(
            zip(outcome.placements, outcome.scores, strict=True),
            key=lambda result: (result[0], -result[1]),
        ),
        styles=styles_of(result.record),
        decisions=result.decisions,
    )
