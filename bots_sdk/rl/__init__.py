"""The games as PettingZoo environments, for reinforcement learning. Needs the extra `rl`."""

try:
    from bots_sdk.rl.env import GemEnv, env
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in {"gymnasium", "numpy", "pettingzoo"}:
        raise
    raise ModuleNotFoundError(
        f"bots_sdk.rl needs {error.name}; install what it needs with: pip install 'karat[rl]'",
        name=error.name,
    ) from error

__all__ = ["GemEnv", "env"]
