"""The environment with the safeguards that PettingZoo recommends.

They are those of its wrappers `TerminateIllegal`, `AssertOutOfBounds` and `OrderEnforcing`, which
cost more than the game: three wrappers look every attribute up one after the other. Here they are
part of the environment. A test compares the two.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pettingzoo.utils.env_logger import EnvLogger  # type: ignore[import-untyped]

from bots_sdk.rl.environment import GemEnv, Observation
from engine.game import Json

Attribute = Any
"""Of a class of PettingZoo, which says nothing of types."""
ILLEGAL_REWARD = -1.0
_AFTER_RESET = frozenset(
    ("agent_selection", "agents", "infos", "num_agents", "rewards", "terminations", "truncations")
)


def env(game: str, seats: int, options: Mapping[str, Json] | None = None) -> "GuardedGemEnv":
    """Return the environment with PettingZoo's safeguards: an illegal action ends it with -1."""
    return GuardedGemEnv(game, seats, options)


class GuardedGemEnv(GemEnv):
    """Says what is wrong with the calls, and ends a match whose agent acts illegally."""

    def __init__(self, game: str, seats: int, options: Mapping[str, Json] | None = None) -> None:
        super().__init__(game, seats, options)
        self._has_reset = False
        self._has_moved_on = False
        """Whether there was a step since the last agent of `agent_iter`."""
        del self.agents, self.agent_selection

    def __getattr__(self, name: str) -> Attribute:
        """Refuse what is not there before the first reset. Python asks only for what is missing."""
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new match."""
        self._has_reset = self._has_moved_on = True
        super().reset(seed, options)

    def observe(self, agent: str) -> Observation:
        """Return what the agent sees, and what it may do."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def step(self, action: int | None) -> None:
        """Say the next part of a move, if there is an agent who may."""
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_moved_on = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
        elif action in self._match.partial.legal.moves or self._is_dead():
            super().step(action)
        else:
            assert self.action_space(self.agent_selection).contains(action), (
                "action is not in action space"
            )
            self._end_illegally()

    def _is_dead(self) -> bool:
        agent = self.agent_selection
        return self.terminations[agent] or self.truncations[agent]

    def _end_illegally(self) -> None:
        """End the match for everybody, at the cost of the agent that acted."""
        EnvLogger.warn_on_illegal_move()
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0) | {agent: ILLEGAL_REWARD}
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Return the agents in their turns; between two of them there must be a step."""
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return self._agents_in_turn(max_iter)

    def _agents_in_turn(self, max_iter: int) -> Iterator[str]:
        for _ in range(max_iter):
            if not self.agents:
                return
            assert self._has_moved_on, "need to call step() or reset() in a loop over `agent_iter`"
            self._has_moved_on = False
            yield self.agent_selection
