"""Plays matches: boxes, limits, faults, the match loop. Importing it registers the games.

They are looked for when somebody first asks the registry.
"""

from collections.abc import Iterable

from engine.game import Game
from engine.registry import GAMES


def _installed_games() -> Iterable[Game]:
    from runners.plugins.discovery import installed_games  # noqa: PLC0415  costs 40 ms

    return installed_games()


GAMES.add_source(_installed_games)
