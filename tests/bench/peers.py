"""Well-known game libraries at random play, to compare the engine with in one run.

Each plays through its ordinary interface with the checks it makes by default. The random choice
itself is as cheap as we can make it, so that the figure is the library's and not ours.
"""

import os
import random
from collections.abc import Callable
from importlib import import_module
from time import process_time
from typing import Any

WARM_UP_GAMES = 5


class PeerMissing(Exception):
    """A library to compare with is not installed."""


def decisions_per_cpu_second(play: Callable[[], int], seconds: float) -> float:
    """Play whole games for about that long; `play` returns how many decisions a game took."""
    for _ in range(WARM_UP_GAMES):
        play()
    decisions, start = 0, process_time()
    while (elapsed := process_time() - start) < seconds:
        decisions += play()
    return decisions / elapsed


def rlcard_gin_rummy(seconds: float) -> float:
    env = load("rlcard").make("gin-rummy")

    def play() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(random.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return decisions_per_cpu_second(play, seconds)


def pettingzoo_connect_four(seconds: float) -> float:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    env = load("pettingzoo.classic.connect_four_v3").env()

    def play() -> int:
        decisions = 0
        env.reset()
        while True:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                return decisions
            mask = observation["action_mask"].tolist()
            env.step(random.choice([column for column, free in enumerate(mask) if free]))
            decisions += 1

    return decisions_per_cpu_second(play, seconds)


def load(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise PeerMissing(
            f"{module} cannot be imported ({error}); `make bench` installs it, "
            "or: pip install 'karat[bench]'"
        ) from error
