"""The bots that can be named on the command line."""

from collections.abc import Callable

from runners.players import FallbackPlayer, Player, RandomPlayer

BOTS: dict[str, Callable[[str], Player]] = {"random": RandomPlayer, "fallback": FallbackPlayer}
"""Each makes a player for one match from the seed of its own chance."""
