"""A match as a PettingZoo environment: one agent acts at a time, and sees only its own view.

Seats that choose at the same time are asked one after the other; nothing of their choices can be
seen until all have chosen. A move that is said in parts is complete after its last action, and an
action without an alternative is said by the environment.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]

from bots_sdk.rl.encoding import Encoding
from bots_sdk.rl.features import MAX_FEATURE
from bots_sdk.rl.match import Match
from bots_sdk.rl.turn import as_observation
from engine.game import Json, View
from runners.news import News

Observation = dict[str, NDArray[Any]]


class GemEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """One game at a number of seats. Agents are `seat_0`, `seat_1` and so on."""

    def __init__(
        self,
        game: str,
        seats: int,
        options: Mapping[str, Json] | None = None,
        *,
        encoding: Encoding | None = None,
        news: bool = False,
    ) -> None:
        """Set a table. Guests that read the news of a match need an environment with `news`."""
        super().__init__()
        self._match = Match(game, seats, options, encoding=encoding, news=news)
        self.game = self._match.game
        self.options = self._match.options
        self.seats = seats
        self.encoding = self._match.encoding
        """How the game is said and seen; a bot finds it in the `rl.py` of the kit."""
        self.actions = self.encoding.actions
        """What each action says."""
        self.metadata = {"name": f"{game}_{seats}", "render_modes": [], "is_parallelizable": False}
        self.render_mode = None
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[self._match.seat]
        self.action_spaces = {agent: action_space(self.actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: observation_space(self._match.size, self.actions)
            for agent in self.possible_agents
        }

    @property
    def position(self) -> object:
        """The position of the game."""
        return self._match.position

    @property
    def news(self) -> News | None:
        """What happened in this match, as bots are told of it; None without `news`."""
        return self._match.news

    @property
    def match_seed(self) -> str:
        """The seed that deals the same match to bots: `karat play … --seed`."""
        return self._match.seed

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
        self._match.begin(seed)
        self.agents = self.possible_agents[:]
        self.agent_selection = self.possible_agents[self._match.seat]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> Observation:
        """Return what the agent sees, and what it may do: nothing while another one acts."""
        return as_observation(*self._match.observe(self._seat_of[agent]))

    def view(self, agent: str) -> View:
        """Return the view that a bot in this seat would get."""
        return self.game.view(self.position, self._seat_of[agent])

    def layout(self) -> dict[str, slice]:
        """Return where each group of features stands in an observation."""
        groups, at = {}, 0
        for name, numbers in self.encoding.groups_of(self.game.view(self.position, 0)).items():
            groups[name] = slice(at, at + len(numbers))
            at += len(numbers)
        return groups

    def step(self, action: int | None) -> None:
        """Say the next part of a move; once all seats asked have moved, the game goes on.

        An action is a number; PettingZoo asks for None once the match is over.
        """
        agent, match = self.agent_selection, self._match
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        match.act(action)
        if match.is_over:
            self._end()
        else:
            self.agent_selection = self.possible_agents[match.seat]

    def _end(self) -> None:
        """Reward everybody. Before the end nobody gets anything, so nothing has to be added up."""
        self.rewards = dict(zip(self.possible_agents, self._match.rewards(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()


def action_space(actions: tuple[str, ...]) -> spaces.Discrete:
    """Return the space of these actions."""
    return spaces.Discrete(len(actions))


def observation_space(size: int, actions: tuple[str, ...]) -> spaces.Dict:
    """Return the space of so many features, and of the mask of these actions."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, MAX_FEATURE, (size,), np.float32),
            "action_mask": spaces.Box(0, 1, (len(actions),), np.int8),
        }
    )
