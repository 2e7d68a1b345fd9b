"""How good the chances in a match are, and what they cost: matches of mixed house bots.

`python -m tests.bench.chances [matches]` prints for every game and number of seats the CPU time of
a match, how many playouts that allows, how many turning points it has, and at three moments how the
estimates compare with a guess that gives every seat the same chance: the mean squared error
(Brier), and how often the favourite won.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import mean
from time import process_time

from bots_sdk import house
from bots_sdk.chances.estimate import estimate
from bots_sdk.chances.values import PER_MILLE, Chances
from bots_sdk.local.matches import Entrant, MatchSetup, Seating, play_all
from engine.record.recorder import Record
from engine.registry import GAMES

MATCHES = 100
BOTS = {
    "edel-stein-reich": ("greedy", "anton", "ottilie", "zita"),
    "basari": ("greedy", "karim", "leila", "samira"),
    "edelsteinsuche": ("greedy", "hedwig", "magpie", "waldi"),
}
"""Bots of the house that are quick and not all equally strong."""
MOMENTS = (0.25, 0.5, 0.75)
"""Parts of a match."""


@dataclass
class Quality:
    """What is known after some matches."""

    cpu_seconds: list[float] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    playouts: list[int] = field(default_factory=list)
    turning_points: list[int] = field(default_factory=list)
    errors: dict[float, list[float]] = field(default_factory=dict)
    """By moment, the squared error of each match."""
    blind: list[float] = field(default_factory=list)
    """The squared error of giving everybody the same chance."""
    favourites: dict[float, list[float]] = field(default_factory=dict)
    """By moment, the part of the win that the favourite got."""

    def add(self, chances: Chances, cpu_seconds: float) -> None:
        """Count a match."""
        self.cpu_seconds.append(cpu_seconds)
        self.points.append(len(chances.rows))
        self.playouts.append(chances.playouts)
        self.turning_points.append(len(chances.turning_points))
        final = chances.rows[-1].chances
        self.blind.append(_squared_error([PER_MILLE // len(final)] * len(final), final))
        for moment in MOMENTS:
            then = chances.rows[int((len(chances.rows) - 1) * moment)].chances
            self.errors.setdefault(moment, []).append(_squared_error(then, final))
            favourite = then.index(max(then))
            self.favourites.setdefault(moment, []).append(final[favourite] / PER_MILLE)


def _squared_error(guess: list[int], final: list[int]) -> float:
    return sum((a - b) ** 2 for a, b in zip(guess, final, strict=True)) / PER_MILLE**2


def mixed_matches(game: str, seats: int, count: int) -> Iterator[Record]:
    """Yield records of matches with changing line-ups of the game's bots."""
    names = BOTS[game]
    entrants = tuple(Entrant(name, house.code(game, name), f"{name}.py") for name in names)
    plan = [
        Seating(_line_up(number, seats, len(names)), f"chances {number}") for number in range(count)
    ]
    for match in play_all(MatchSetup(game, entrants, {}, recorded=True), plan):
        assert match.result.record is not None
        yield match.result.record


def _line_up(number: int, seats: int, bots: int) -> tuple[int, ...]:
    """Return another order of the bots for every match; at large tables some sit twice."""
    stride = 1 + number // bots % (bots - 1)
    return tuple((number + seat * stride) % bots for seat in range(seats))


def measure(game: str, seats: int, count: int) -> Quality:
    """Estimate the chances in some matches."""
    quality = Quality()
    for record in mixed_matches(game, seats, count):
        started = process_time()
        chances = estimate(record)
        quality.add(chances, process_time() - started)
    return quality


def main(count: int = MATCHES) -> None:
    print(
        "Brier / that of a blind guess, and wins of the favourite, at 1/4, 1/2 and 3/4 of a match"
    )
    print("game and seats      CPU s: mean    max  points  playouts  turns")
    for game in BOTS:
        for seats in GAMES[game].seats:
            quality = measure(game, seats, count)
            moments = "   ".join(
                f"{mean(quality.errors[moment]):.2f}/{mean(quality.blind):.2f} "
                f"{mean(quality.favourites[moment]):4.0%}"
                for moment in MOMENTS
            )
            print(
                f"{game:<17}{seats:>2}{mean(quality.cpu_seconds):>13.2f}"
                f"{max(quality.cpu_seconds):>7.2f}{mean(quality.points):>7.0f}"
                f"{mean(quality.playouts):>9.0f}{mean(quality.turning_points):>8.1f}    {moments}",
                flush=True,
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
