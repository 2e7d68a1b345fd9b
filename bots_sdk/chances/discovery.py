"""How an installed game is played out, by its slug."""

from importlib import import_module
from typing import Any

from bots_sdk.chances.policy import Policy
from runners.plugins.discovery import kits

MODULE = "playouts"
"""The module of a kit that holds its `POLICY`."""
ANY_MOVE: Policy[Any] = Policy()


def find_policy(slug: str) -> Policy[Any]:
    """Return the policy of a game; random moves if its kit has none."""
    kit = kits().get(slug)
    if kit is None or not (kit.folder / f"{MODULE}.py").is_file():
        return ANY_MOVE
    policy = import_module(f"{kit.package}.{MODULE}").POLICY
    assert isinstance(policy, Policy)
    return policy
