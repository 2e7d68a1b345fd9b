"""Finding what is installed, by entry points: `karat.games`, `karat.kits` and `karat.sdk`."""

from functools import cache
from importlib.metadata import entry_points

from engine.game import Game
from runners.plugins.kit import Kit, Sdk


def installed_games() -> list[Game]:
    """Return the installed games in the order of lists."""
    games: list[Game] = [entry.load() for entry in entry_points(group="karat.games")]
    return sorted(games, key=lambda game: (game.order, game.slug))


@cache
def kits() -> dict[str, Kit]:
    """Return the installed kits by the slugs of their games."""
    loaded: list[Kit] = [entry.load() for entry in entry_points(group="karat.kits")]
    return {kit.slug: kit for kit in loaded}


@cache
def sdk() -> Sdk:
    """Return the SDK that bots find in the box."""
    (entry,) = entry_points(group="karat.sdk")
    loaded: Sdk = entry.load()
    return loaded
