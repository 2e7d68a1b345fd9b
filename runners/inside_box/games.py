"""The games in a box: `engine.registry` learns of them when a bot imports it, and loads none."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

    from engine.game import Game

    Loader = Any
    """A loader of modules, whose methods can be replaced."""
    Registry = Any
    """The module of the registry."""

REGISTRY = "engine.registry"


class RegistryHook:
    """A finder of modules that waits for the registry, and then adds the games of a list to it."""

    def __init__(self, path: str) -> None:
        """Remember where the list is: a line for each game, its slug and where it is found."""
        self._path = path

    def find_spec(
        self, name: str, path: "Sequence[str] | None", _target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        """Find the registry as everybody else would, and have the games added once it runs."""
        if name != REGISTRY:
            return None
        sys.meta_path.remove(self)
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path)
            if spec is not None:
                self._add_games_after(spec.loader)
                return spec
        return None

    def _add_games_after(self, loader: "Loader") -> None:
        execute = loader.exec_module

        def execute_and_add_games(module: "Registry") -> None:
            execute(module)
            with open(self._path, encoding="utf-8") as lines:
                for line in lines:
                    slug, game, attribute = line.split()
                    module.GAMES.register_lazily(slug, game_loader(game, attribute))

        loader.exec_module = execute_and_add_games


def game_loader(module: str, attribute: str) -> "Callable[[], Game]":
    """Return a function that imports a game: a bot pays only for the game it plays."""

    def load() -> "Game":
        game: Game = getattr(__import__(module, fromlist=[attribute]), attribute)
        return game

    return load
