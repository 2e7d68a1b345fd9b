"""The whole training of a game's network: lessons first, then improvement round by round."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np

from bots_sdk import house
from bots_sdk.rl import GemEnv, Guest
from bots_sdk.training.improvement import improve
from bots_sdk.training.inputs import Inputs
from bots_sdk.training.lessons import Lessons, imitate, loss, watch
from bots_sdk.training.network import LearningNetwork
from bots_sdk.training.recipe import Recipe, encoding_of
from bots_sdk.training.tables import FinishedMatch, LineUp, Table, Tables
from engine.registry import GAMES

TABLES = 64
"""Matches that are played side by side, at most."""
LEARNERS = 0.35
"""How likely each further seat of a table is the learner's as well."""
HELD_BACK = 10
"""One lesson in so many is not learned from, to see how well the network does with others."""
REPORTS = 10
"""Of the improvement."""

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Graduate:
    """A trained network, and where it finds its inputs."""

    network: LearningNetwork
    inputs: Inputs
    losses: list[float]
    """How surprising the teacher's moves were before the lessons, and after each time through."""


def train(game: str, recipe: Recipe, seed: int, report: Report) -> Graduate:
    """Train a network. The same seed makes the same network on the same machine."""
    encoding = encoding_of(game, recipe)
    inputs = Inputs(game, encoding)
    chance, dice = np.random.default_rng(seed), Random(seed)
    network = LearningNetwork((inputs.size, *recipe.hidden), len(encoding.actions), chance)
    guests = {name: Guest(house.path(game, name)) for name in {*recipe.opponents, recipe.teacher}}
    opponents = [guests[name] for name in recipe.opponents]

    sizes = GAMES[game].seats
    matches = [GemEnv(game, seats, encoding=encoding, news=True) for seats in sizes]
    planned = [matches[number % len(matches)] for number in range(recipe.lessons)]
    lessons = watch(planned, guests[recipe.teacher], opponents, inputs, dice)
    report(f"{len(lessons):,} decisions of {recipe.teacher} in {recipe.lessons:,} matches")
    losses = _follow(network, lessons, recipe.epochs, chance, report)

    def line_up(chance: Random) -> LineUp:
        others = chance.choice(sizes) - 1
        seats: LineUp = [
            None if chance.random() < LEARNERS else chance.choice(opponents) for _ in range(others)
        ]
        seats.insert(chance.randrange(others + 1), None)
        return seats

    count = min(TABLES, recipe.matches)
    tables = Tables([Table(game, encoding, line_up, dice) for _ in range(count)], inputs, chance)
    network.forget()
    _practise(network, tables, recipe, chance, report)
    return Graduate(network, inputs, losses)


def _follow(
    network: LearningNetwork,
    lessons: Lessons,
    epochs: int,
    chance: np.random.Generator,
    report: Report,
) -> list[float]:
    """Go through the lessons; return the loss in those held back, before and after each time."""
    known, unknown = lessons.split(HELD_BACK)
    losses = [loss(network, unknown)]
    for epoch in range(1, epochs + 1):
        imitate(network, known, chance)
        losses.append(loss(network, unknown))
        report(f"lessons, time {epoch}: loss {losses[-1]:.3f}, {losses[0]:.3f} at first")
    return losses


def _practise(
    network: LearningNetwork,
    tables: Tables,
    recipe: Recipe,
    chance: np.random.Generator,
    report: Report,
) -> None:
    """Play and improve, round by round, in ever smaller steps."""
    played: list[FinishedMatch] = []
    for number in range(1, recipe.rounds + 1):
        matches = tables.play(network, recipe.matches)
        rate = recipe.learning_rate * max(0.1, 1 - number / recipe.rounds)
        improve(network, matches, rate, chance)
        played += matches
        if number % max(1, recipe.rounds // REPORTS) == 0:
            report(f"round {number}: mean reward {_mean_reward(played):+.2f} against house bots")
            played.clear()


def _mean_reward(matches: list[FinishedMatch]) -> float:
    """Return what the learner got at tables with somebody else."""
    rewards = [
        match.rewards[seat] for match in matches if any(match.line_up) for seat in match.experiences
    ]
    return float(np.mean(rewards)) if rewards else 0.0
