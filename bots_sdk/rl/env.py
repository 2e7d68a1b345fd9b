"""A match as a PettingZoo environment: one agent acts at a time, and sees only its own view.

Seats that choose at the same time are asked one after the other; nothing of their choices can be
seen until all have chosen. A move that is said in parts is complete after its last action, and an
action without an alternative is said by the environment.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

from bots_sdk.rl.encoding import Actions, find_encoding
from bots_sdk.rl.features import MAX_FEATURE, Features
from engine.game import Json, View
from engine.registry import find
from engine.rng import Rng

Observation = dict[str, NDArray[Any]]
ILLEGAL_REWARD = -1.0


def env(game: str, seats: int, options: Mapping[str, Json] | None = None) -> AECEnv[str, Any, Any]:
    """Return the environment with PettingZoo's safeguards: an illegal action ends it with -1."""
    bare = GemEnv(game, seats, options)
    checked = wrappers.TerminateIllegalWrapper(bare, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


class GemEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """One game at a number of seats. Agents are `seat_0`, `seat_1` and so on."""

    def __init__(self, game: str, seats: int, options: Mapping[str, Json] | None = None) -> None:
        super().__init__()
        self.game = find(game)
        self.options = self.game.resolve_options(seats, options)
        self.seats = seats
        self._encoding = find_encoding(game)
        self.actions = self._encoding.actions
        """What each action says."""
        self.metadata = {"name": f"{game}_{seats}", "render_modes": [], "is_parallelizable": False}
        self.render_mode = None
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self._number = {action: number for number, action in enumerate(self.actions)}
        self._chance, _ = seeding.np_random()
        self._begin()
        size = len(self._features(0))
        self.action_spaces = {agent: self._action_space() for agent in self.possible_agents}
        self.observation_spaces = {
            agent: self._observation_space(size) for agent in self.possible_agents
        }

    def _action_space(self) -> spaces.Space[Any]:
        return spaces.Discrete(len(self.actions))

    def _observation_space(self, size: int) -> spaces.Space[Any]:
        return spaces.Dict(
            {
                "observation": spaces.Box(0.0, MAX_FEATURE, (size,), np.float32),
                "action_mask": spaces.Box(0, 1, (len(self.actions),), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the features and of the mask of legal actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the game's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new match: with a seed always the same, without one the next by chance.

        PettingZoo hands on `options` of any kind; those of the game are set when it is created.
        """
        if seed is not None:
            self._chance, _ = seeding.np_random(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._begin()

    def _begin(self) -> None:
        self._rng = Rng(str(self._chance.integers(1 << 62)))
        self.position: object = self.game.start(self.seats, self.options, self._rng)
        self._begin_decision()

    def _begin_decision(self) -> None:
        self._moves: list[str] = []
        """Of the seats asked now, in their order, as far as they have chosen."""
        self._turn_to_next_seat()

    def _turn_to_next_seat(self) -> None:
        """Turn to the next seat that has to choose."""
        self._prefix: Actions = ()
        """The parts of its move that it has said."""
        self._seat = self.game.to_move(self.position)[len(self._moves)]
        self.agent_selection = self.possible_agents[self._seat]
        self._legal = self._next_actions()

    def _next_actions(self) -> dict[str, str | None]:
        options = self.game.options(self.position, self._seat)
        return self._encoding.next_actions(options, self._prefix, self._seat, self.seats)

    def observe(self, agent: str) -> Observation:
        """Return what the agent sees, and what it may do: nothing while another one acts."""
        mask = np.zeros(len(self.actions), np.int8)
        if agent == self.agent_selection and self.game.to_move(self.position):
            mask[[self._number[action] for action in self._legal]] = 1
        features = self._features(self.possible_agents.index(agent))
        return {"observation": np.array(features, np.float32), "action_mask": mask}

    def view(self, agent: str) -> View:
        """Return the view that a bot in this seat would get."""
        return self.game.view(self.position, self.possible_agents.index(agent))

    def layout(self) -> dict[str, slice]:
        """Return where each group of features stands in an observation."""
        groups, at = {}, 0
        for name, numbers in self._groups(0).items():
            groups[name] = slice(at, at + len(numbers))
            at += len(numbers)
        return groups

    def _features(self, seat: int) -> list[float]:
        return [number for numbers in self._groups(seat).values() for number in numbers]

    def _groups(self, seat: int) -> Features:
        """Return all features of a seat. Only the seat that speaks knows its half-said move."""
        prefix = self._prefix if seat == self._seat else ()
        parts = [(self._number[action] + 1) / len(self.actions) for action in prefix]
        half_said = {"said": parts + [0.0] * (self._encoding.parts - len(parts))}
        return half_said | self._encoding.observe(self.game.view(self.position, seat))

    def step(self, action: int | None) -> None:
        """Say the next part of a move; once all seats asked have moved, the game goes on."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._say(self._legal_action(action))
        if not self.game.to_move(self.position):
            self._end()
        self._accumulate_rewards()

    def _legal_action(self, number: int | None) -> str:
        if number is not None and 0 <= number < len(self.actions):
            action = self.actions[number]
            if action in self._legal:
                return action
        allowed = ", ".join(self._legal)
        raise ValueError(f"{number} is not a legal action here; these are: {allowed}")

    def _say(self, action: str) -> None:
        move = self._legal[action]
        while move is None:
            self._prefix += (action,)
            self._legal = self._next_actions()
            if len(self._legal) > 1:
                return
            ((action, move),) = self._legal.items()
        self._moves.append(move)
        if len(self._moves) < len(self.game.to_move(self.position)):
            self._turn_to_next_seat()
            return
        self.game.play(self.position, self._moves, self._rng)
        if self.game.to_move(self.position):
            self._begin_decision()

    def _end(self) -> None:
        """Reward places from 1 for the first to -1 for the last; those who share one share it."""
        outcome = self.game.outcome(self.position)
        assert outcome is not None
        self._prefix = ()
        places = outcome.placements
        for agent, place in zip(self.possible_agents, places, strict=True):
            shared = place + (places.count(place) - 1) / 2
            self.rewards[agent] = 1.0 - 2.0 * (shared - 1) / (self.seats - 1)
            self.terminations[agent] = True
