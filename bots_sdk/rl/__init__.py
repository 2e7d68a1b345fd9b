"""The games for reinforcement learning: environments to train in, encodings to play with.

`Turn` and `choose_move` also run inside the box and need numpy alone. The environments need the
extra `rl`; they are imported when somebody asks for them, so that a bot does without.
"""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bots_sdk.rl.environment import GemEnv
    from bots_sdk.rl.guest import Guest
    from bots_sdk.rl.safeguards import env
    from bots_sdk.rl.turn import Turn, choose_move
    from bots_sdk.rl.vector import VectorGemEnv

__all__ = ["GemEnv", "Guest", "Turn", "VectorGemEnv", "choose_move", "env"]

_MODULES = {
    "GemEnv": "environment",
    "Guest": "guest",
    "Turn": "turn",
    "VectorGemEnv": "vector",
    "choose_move": "turn",
    "env": "safeguards",
}
_EXTRA = frozenset({"gymnasium", "numpy", "pettingzoo"})
"""What the extra `rl` installs."""


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(f"{__name__}.{_MODULES[name]}")
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in _EXTRA:
            raise
        # A box has all that what runs in it needs, so this runs outside, where the module is.
        from bots_sdk.installation import install_command  # noqa: PLC0415

        raise ModuleNotFoundError(
            f"bots_sdk.rl.{name} needs {library}; install it with: {install_command('rl')}",
            name=error.name,
        ) from error
    value: object = getattr(module, name)
    globals()[name] = value
    return value
