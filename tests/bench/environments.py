"""Our environments against PettingZoo's connect four, like with like: `python -m tests.bench`.

Both sides run the loop of PettingZoo's guide and look at every observation. They are compared at
the same level: bare environments, environments with safeguards as `env()` returns them, and ours
within the very wrappers that connect four has. Actions are drawn from the mask by the same few
lines, because gymnasium's `sample` takes as long as a step of a game. Only steps of agents that act
count.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.registry import GAMES
from tests.bench.measure import Speeds, in_turns
from tests.bench.peers import load

CONNECT_FOUR = "PettingZoo, connect four"
NUM_ENVS = 64

Environment = Any
"""PettingZoo says nothing of types."""


def report() -> None:
    """Print steps per second, and how many times as many as connect four."""
    levels = {"bare": _bare(), "safeguards": _guarded(), "its wrappers": _wrapped()}
    speeds = {
        level: in_turns({name: random_steps(env) for name, env in contestants.items()})
        for level, contestants in levels.items()
    }
    vectors = in_turns({name: vector_steps(*table) for name, table in tables().items()})
    print(f"environment steps per CPU second, random legal actions{'':>13}", end="")
    print("".join(f"{level:>22}" for level in levels) + f"{NUM_ENVS:>8} at once")
    for name in (CONNECT_FOUR, *tables()):
        cells = "".join(_cell(speeds[level], name) for level in levels)
        vector = "" if name == CONNECT_FOUR else f"{vectors.typical(name):>16,.0f}"
        print(f"  {name:<65}{cells}{vector}")


def _cell(speeds: Speeds, name: str) -> str:
    ratio = "" if name == CONNECT_FOUR else f"{speeds.ratio(name, CONNECT_FOUR):.2f} ×"
    return f"{speeds.typical(name):>14,.0f}{ratio:>8}"


def tables() -> dict[str, tuple[str, int]]:
    """Return every game at every number of seats."""
    return {
        f"{game.slug}, {n} seats": (game.slug, n) for game in GAMES.values() for n in game.seats
    }


def _bare() -> dict[str, Environment]:
    gem_env = load("bots_sdk.rl").GemEnv
    return {CONNECT_FOUR: connect_four().raw_env()} | {
        name: gem_env(*table) for name, table in tables().items()
    }


def _guarded() -> dict[str, Environment]:
    env = load("bots_sdk.rl").env
    return {CONNECT_FOUR: connect_four().env()} | {
        name: env(*table) for name, table in tables().items()
    }


def _wrapped() -> dict[str, Environment]:
    """Return ours as connect four's `env()` wraps its own."""
    wrappers, gem_env = load("pettingzoo.utils.wrappers"), load("bots_sdk.rl").GemEnv

    def wrap(slug: str, seats: int) -> Environment:
        checked = wrappers.TerminateIllegalWrapper(gem_env(slug, seats), illegal_reward=-1)
        return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))

    return {CONNECT_FOUR: connect_four().env()} | {
        name: wrap(*table) for name, table in tables().items()
    }


def connect_four() -> Any:
    """Return the module of the game."""
    return load("pettingzoo.classic.connect_four_v3")


def random_steps(env: Environment) -> Callable[[], int]:
    """Return a function that plays a match at random, and says how many steps it took."""
    chance = Random(1).random

    def play() -> int:
        steps = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(_draw(observation["action_mask"], chance()))
                steps += 1
        return steps

    return play


def _draw(mask: NDArray[np.int8], chance: float) -> int:
    legal = mask.nonzero()[0]
    return int(legal[int(chance * len(legal))])


def vector_steps(slug: str, seats: int) -> Callable[[], int]:
    """Return a function that lets many matches side by side take ten steps each."""
    matches = load("bots_sdk.rl").VectorGemEnv(slug, seats, NUM_ENVS, copy=False)
    chance = np.random.default_rng(1)
    masks = matches.reset()[0]["action_mask"]

    def play() -> int:
        for _ in range(10):
            matches.step((chance.random(masks.shape, np.float32) * masks).argmax(axis=1))
        return 10 * NUM_ENVS

    return play
