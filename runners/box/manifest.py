"""What a box holds besides an interpreter, as one value: staging copies exactly this.

It is made from what is installed: the engine, the SDK's part for the box, the games and their kits.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from runners.plugins.acceptance import kit_files, sdk_files
from runners.plugins.discovery import Installation, installation
from runners.plugins.files import Files, package_files

ENGINE = "engine"
NUMPY = "numpy"
GAMES_FILE = "games.txt"
"""A line for each game: its slug, its module and its name there. `engine.registry` is given them
when a bot imports it."""


@dataclass(frozen=True)
class Manifest:
    """The code that bots can import, and what it means to the program in the box."""

    files: Files
    """Every file by its place in the box."""
    sdk_entry: str
    """The module that the program in the box calls."""
    games: Mapping[str, str]
    """Where each game is imported from, `module:attribute`, by slug and in the order of lists."""
    bases: Mapping[str, str | None]
    """The classes that a bot can inherit from, with the game that each implies."""
    methods: Mapping[str, Mapping[str, str]]
    """The methods of those classes by decision; none of a class that has only `decide`."""
    house: Mapping[str, Path]
    """The files of the house bots, which a bot can inherit from as well, by their modules."""
    kit_packages: tuple[str, ...]
    """The packages of the kits, in the order of the games."""
    base_packages: frozenset[str]
    """The top-level packages that export those classes."""
    importable: frozenset[str]
    """The top-level packages that a bot can import besides the standard library."""

    @property
    def games_text(self) -> str:
        """The games as the box reads them."""
        lines = (f"{slug} {place.replace(':', ' ')}\n" for slug, place in self.games.items())
        return "".join(lines)

    def digest(self) -> str:
        """Return a hash of all that bots find in the box: names, contents and the list of games."""
        content = sha256(f"{self.sdk_entry}\n{self.games_text}".encode())
        for place, path in sorted(self.files.items()):
            content.update(f"{place}\0".encode() + path.read_bytes() + b"\0")
        return content.hexdigest()


@cache
def manifest() -> Manifest:
    """Return the manifest of this process."""
    return build_manifest(installation())


def build_manifest(installed: Installation) -> Manifest:
    """Return what boxes hold with this installation."""
    files = package_files(ENGINE) | sdk_files(installed.sdk)
    for game in installed.games.values():
        if game.package != ENGINE:
            files |= package_files(game.package)
    for kit in installed.kits.values():
        files |= kit_files(kit)
    kits = installed.kits.values()
    base_packages = {installed.sdk.package, *(kit.package.partition(".")[0] for kit in kits)}
    return Manifest(
        files=files,
        sdk_entry=installed.sdk.entry,
        games={slug: f"{game.module}:{game.attribute}" for slug, game in installed.games.items()},
        bases={"Bot": None} | {kit.base: kit.slug for kit in kits if kit.base},
        methods={kit.base: kit.methods for kit in kits if kit.base},
        house={module: path for kit in kits for module, path in kit.house_files.items()},
        kit_packages=tuple(kit.package for kit in kits),
        base_packages=frozenset(base_packages),
        importable=frozenset(place.partition("/")[0].removesuffix(".py") for place in files)
        | {NUMPY},
    )
