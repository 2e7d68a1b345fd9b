"""Well-known game libraries at random play, to compare the engine with in one run.

Each plays at random the way its own guide shows. A decision counts if there was a choice, as in our
engine, which never asks a seat with one legal move.
"""

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any

Rounds = Callable[[], int]
"""Plays one match and says how many decisions it took."""


class PeerMissing(Exception):
    """A library to compare with is not installed."""


def rlcard_gin_rummy() -> Rounds:
    """RLCard's own random agents at gin rummy."""
    rlcard = load("rlcard")
    env = rlcard.make("gin-rummy")
    agent = load("rlcard.agents").RandomAgent(num_actions=env.num_actions)
    env.set_agents([agent, agent])

    def play() -> int:
        trajectories, _ = env.run(is_training=False)
        # Each trajectory alternates states and actions and closes with a state.
        return sum(len(s["legal_actions"]) > 1 for seat in trajectories for s in seat[:-1:2])

    return play


def pettingzoo_connect_four() -> Rounds:
    """PettingZoo's connect four, sampling from the masked action space."""
    env = load("pettingzoo.classic.connect_four_v3").env()

    def play() -> int:
        decisions = 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                mask = observation["action_mask"]
                env.step(env.action_space(agent).sample(mask))
                decisions += mask.sum() > 1
        return int(decisions)

    return play


def load(module: str) -> Any:
    """The library, or how to get it."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        return import_module(module)
    except ImportError as error:
        raise PeerMissing(
            f"{module} cannot be imported ({error}); `make bench` installs it"
        ) from error
