"""The games as PettingZoo environments, for reinforcement learning. Needs the extra `rl`."""

from bots_sdk.installation import install_command

try:
    from bots_sdk.rl.env import GemEnv, env
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in {"gymnasium", "numpy", "pettingzoo"}:
        raise
    raise ModuleNotFoundError(
        f"bots_sdk.rl needs {error.name}; install it with: {install_command('rl')}",
        name=error.name,
    ) from error

__all__ = ["GemEnv", "env"]
