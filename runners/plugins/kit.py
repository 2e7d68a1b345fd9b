"""What a package offers to authors of bots, as data: names of files and of methods."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path

from runners.bundles.bundle import ENTRY_FILES
from runners.plugins.files import folder_of

HOUSE = "house"
"""The folder of a kit with its house bots."""


@dataclass(frozen=True)
class Kit:
    """The authors' kit of one game.

    Besides the files named here, a kit may hold `starter.py` (what `karat new` begins with),
    `house/*.py` and `house/*/bot.py` (house bots: files, and bundles), `rl.py` (actions and
    observations for reinforcement learning), `training.py` (how a network of it is trained),
    `playouts.py` (how its matches are played out when chances are estimated),
    `cards.py` (pictures of its cards), `viewer.js` and `viewer.css` (its table in a replay).
    """

    slug: str
    package: str
    """The import name of the folder, such as `my_game.kit`."""
    base: str | None = None
    """The typed base class that the package exports, such as `MyGameBot`."""
    short_name: str = ""
    """The game in the name of a house bot that plays several games; its slug if empty."""
    in_box: tuple[str, ...] = ("__init__.py",)
    """The files of the package that bots find in the box."""

    @cached_property
    def folder(self) -> Path:
        """Where the files of the kit lie."""
        return folder_of(self.package)

    @cached_property
    def house_files(self) -> Mapping[str, Path]:
        """The files of its house bots, by the names of their modules.

        Bundles are not among them: nobody can inherit from a bot without bringing its data.
        """
        return {
            f"{self.package}.{HOUSE}.{path.stem}": path
            for path in sorted((self.folder / HOUSE).glob("[a-z]*.py"))
        }

    @cached_property
    def house_entries(self) -> Mapping[str, Path]:
        """The files with its house bots by their names, in the order of the alphabet."""
        house = self.folder / HOUSE
        entries = {path.stem: path for path in house.glob("[a-z]*.py")}
        entries |= {path.parent.name: path for path in house.glob(f"[a-z]*/{ENTRY_FILES[0]}")}
        return dict(sorted(entries.items()))

    @cached_property
    def methods(self) -> Mapping[str, str]:
        """The method of the base class for each decision; none if it has no such mapping.

        The package is imported, as it was when its entry point was loaded.
        """
        base = getattr(import_module(self.package), self.base, None) if self.base else None
        methods = getattr(base, "methods", None)
        if not isinstance(methods, Mapping):
            return {}
        return {
            decision: method
            for decision, method in methods.items()
            if isinstance(decision, str) and isinstance(method, str)
        }


@dataclass(frozen=True)
class Sdk:
    """The package that bots import in the box, and the module that the in-box program calls."""

    package: str
    entry: str
    """The module with the classes `Bot` and `View`, and `find_bot`."""
    in_box: tuple[str, ...]

    @cached_property
    def folder(self) -> Path:
        """Where its files lie."""
        return folder_of(self.package)
