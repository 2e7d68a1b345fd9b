"""The encoding of an installed game, by its slug. In the box a bot imports it from its kit."""

from importlib import import_module

from bots_sdk.rl.encoding import Encoding
from runners.plugins.discovery import kits

MODULE = "rl"
"""The module of a kit that holds its encoding, as `ENCODING`."""


class NoEncoding(LookupError):
    """The kit of a game has nothing for reinforcement learning."""


def find_encoding(slug: str) -> Encoding:
    """Return the encoding of a game, or raise `NoEncoding`."""
    kit = kits().get(slug)
    if kit is None or not (kit.folder / f"{MODULE}.py").is_file():
        raise NoEncoding(
            f"{slug} is no environment yet: a kit for it with a file {MODULE}.py is not installed."
        )
    encoding = import_module(f"{kit.package}.{MODULE}").ENCODING
    assert isinstance(encoding, Encoding)
    return encoding
