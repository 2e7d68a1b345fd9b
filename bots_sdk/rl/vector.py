"""Many matches side by side, for policies that choose for all of them at once.

It follows the conventions of gymnasium's vector environments as far as a game for several agents
can: every match has one seat that acts, and rewards are those of all seats.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from bots_sdk.rl.encoding import Encoding
from bots_sdk.rl.environment import Observation, action_space, observation_space
from bots_sdk.rl.legal import IllegalAction
from bots_sdk.rl.match import Match
from engine.game import Json

Step = tuple[
    Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, NDArray[Any]]
]
"""Observations, rewards, terminations, truncations and infos."""


class VectorGemEnv:
    """Independent matches of one game and number of seats, stepped together.

    A match that ends is followed by the next one within the same step: its rewards are those of
    the match that ended, its observation is the first of the new one.
    """

    def __init__(
        self,
        game: str,
        seats: int,
        num_envs: int,
        options: Mapping[str, Json] | None = None,
        *,
        copy: bool = True,
        encoding: Encoding | None = None,
    ) -> None:
        """Set so many tables. Without `copy` every step writes into the same arrays."""
        if num_envs < 1:
            raise ValueError(f"num_envs is at least 1, not {num_envs}")
        self._matches = [Match(game, seats, options, encoding=encoding) for _ in range(num_envs)]
        self._copy = copy
        self.num_envs = num_envs
        self.seats = seats
        self.encoding = self._matches[0].encoding
        self.actions = self.encoding.actions
        """What each action says."""
        size = self._matches[0].size
        self.single_action_space = action_space(self.actions)
        self.single_observation_space = observation_space(size, self.actions)
        self.action_space: spaces.Space[Any] = batch_space(self.single_action_space, num_envs)
        self.observation_space: spaces.Space[Any] = batch_space(
            self.single_observation_space, num_envs
        )
        self.metadata = {"name": f"{game}_{seats}", "autoreset_mode": AutoresetMode.SAME_STEP}
        self._allocate(size)

    def _allocate(self, size: int) -> None:
        """Make the arrays, and the bytes through which they are written."""
        count = self.num_envs
        self._observations = np.zeros((count, size), np.float32)
        self._masks = np.zeros((count, len(self.actions)), np.int8)
        self._acting = np.zeros(count, np.int64)
        self._rewards = np.zeros((count, self.seats), np.float32)
        self._terminations = np.zeros(count, np.bool_)
        self._observation_bytes = self._observations.data.cast("B")
        self._mask_bytes = self._masks.data.cast("B")

    def reset(
        self, seed: int | Sequence[int | None] | None = None
    ) -> tuple[Observation, dict[str, NDArray[Any]]]:
        """Deal all matches anew, and return observations and infos.

        With a number as seed, match i is dealt as `GemEnv` deals it with the seed plus i; with a
        list, as it deals it with the i-th of them.
        """
        for match, own_seed in zip(self._matches, self._seeds(seed), strict=True):
            match.begin(own_seed)
        self._write()
        return self._observe(), self._infos()

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int):
            return range(seed, seed + self.num_envs)
        if len(seed) != self.num_envs:
            raise ValueError(f"there are {self.num_envs} matches and {len(seed)} seeds")
        return seed

    def step(self, actions: Iterable[int]) -> Step:
        """Let the acting seat of every match take its action.

        An action that is not legal is refused before any match goes on.
        """
        numbers = list(map(int, actions))
        self._check(numbers)
        self._rewards.fill(0.0)
        self._terminations.fill(False)
        for index, (match, number) in enumerate(zip(self._matches, numbers, strict=True)):
            match.act(number)
            if match.is_over:
                self._rewards[index] = match.rewards()
                self._terminations[index] = True
                match.begin()
        self._write()
        never = np.zeros(self.num_envs, np.bool_)
        rewards, terminations = (
            self._handed_out(self._rewards),
            self._handed_out(self._terminations),
        )
        return self._observe(), rewards, terminations, never, self._infos()

    def _check(self, numbers: list[int]) -> None:
        if len(numbers) != self.num_envs:
            raise ValueError(f"there are {self.num_envs} matches and {len(numbers)} actions")
        for index, (match, number) in enumerate(zip(self._matches, numbers, strict=True)):
            if number not in match.partial.legal.moves:
                choices = match.partial.choices()
                raise IllegalAction(
                    f"match {index}: {number} is not a legal action here; these are: {choices}"
                )

    def _write(self) -> None:
        seats = [match.seat for match in self._matches]
        observed = map(Match.observe, self._matches, seats)
        numbers, masks = zip(*observed, strict=True)
        self._observation_bytes[:] = b"".join(numbers)
        self._mask_bytes[:] = b"".join(masks)
        self._acting[:] = seats

    def _observe(self) -> Observation:
        return {
            "observation": self._handed_out(self._observations),
            "action_mask": self._handed_out(self._masks),
        }

    def _infos(self) -> dict[str, NDArray[Any]]:
        return {"seat": self._handed_out(self._acting)}

    def _handed_out(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array
