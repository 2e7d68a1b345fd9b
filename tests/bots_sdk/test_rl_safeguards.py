"""The safeguards of `env` are those of PettingZoo's wrappers."""

import warnings

import numpy as np
import pytest
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

from bots_sdk.rl import GemEnv, env

NOT_THERE_YET = (
    *("agent_selection", "agents", "infos", "num_agents", "rewards", "terminations"),
    "truncations",
)


def wrapped():
    """Our bare environment in PettingZoo's own wrappers."""
    checked = wrappers.TerminateIllegalWrapper(GemEnv("basari", 3), illegal_reward=-1.0)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


def guarded():
    return env("basari", 3)


def what_happens(match, misuse):
    """The result of a misuse, or the error, and what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = misuse(match)
        except Exception as error:
            result = type(error), str(error)
    return result, [str(warning.message) for warning in caught]


def illegally(match):
    """Choose, then act illegally, then let the dead be removed."""
    match.reset(seed=1)
    match.step(0)
    match.step(match.actions.index("accept"))
    states = []
    for agent in match.agent_iter():
        _, reward, terminated, truncated, _ = match.last()
        states.append((agent, float(reward), terminated, truncated))
        match.step(None)
    return states


def after_an_end(match):
    illegally(match)
    match.step(0)
    return match.agents


def dead_with_an_action(match):
    match.reset(seed=1)
    match.step(match.actions.index("accept"))
    match.step(0)


def without_a_step(match):
    match.reset(seed=1)
    return list(match.agent_iter())


def twice(match):
    """Play by chance, illegally, and again: nothing is left of the first match."""
    illegally(match)
    match.reset(seed=2)
    rewards = {}
    for agent in match.agent_iter():
        observation, reward, terminated, truncated, _ = match.last()
        over = terminated or truncated
        rewards[agent] = float(reward)
        match.step(None if over else int(np.flatnonzero(observation["action_mask"])[-1]))
    return rewards


def reset_and(action):
    def misuse(match):
        match.reset(seed=1)
        match.step(action)

    return misuse


MISUSES = {
    "a step before reset": lambda match: match.step(0),
    "a look before reset": lambda match: match.observe("seat_0"),
    "last before reset": lambda match: match.last(),
    "a loop before reset": lambda match: match.agent_iter(),
    "an illegal action": illegally,
    "a step after the end": after_an_end,
    "an action of a dead agent": dead_with_an_action,
    "a loop without a step": without_a_step,
    "a number that is no action": reset_and(99),
    "a negative number": reset_and(-1),
    "nothing": reset_and(None),
    "another match": twice,
    **{
        f"{name} before reset": lambda match, name=name: getattr(match, name)
        for name in NOT_THERE_YET
    },
}


@pytest.mark.parametrize("misuse", MISUSES.values(), ids=MISUSES)
def test_a_misuse_ends_as_with_the_wrappers_of_pettingzoo(misuse):
    assert what_happens(guarded(), misuse) == what_happens(wrapped(), misuse)


def test_the_loop_of_a_user_sees_the_same_in_both():
    ours, theirs = guarded(), wrapped()
    ours.reset(seed=5)
    theirs.reset(seed=5)
    for one, other in zip(ours.agent_iter(), theirs.agent_iter(), strict=True):
        (seen, *rest), (also_seen, *also_rest) = ours.last(), theirs.last()
        assert (one, rest) == (other, also_rest)
        for part in ("observation", "action_mask"):
            assert np.array_equal(seen[part], also_seen[part])
        legal = np.flatnonzero(seen["action_mask"])
        action = int(legal[len(legal) // 2]) if len(legal) else None
        ours.step(action)
        theirs.step(action)
