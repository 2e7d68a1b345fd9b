"""Which games and kits can be used: what is loaded from an entry point is judged here.

A game or kit of another package is also imported as a box will import it. Our own are not: the
tests do that, and it would cost the start of every process.
"""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution
from pathlib import PurePosixPath

from engine.game import Game
from runners.plugins.files import Files, chosen_files, package_files
from runners.plugins.kit import HOUSE, Kit, Sdk
from runners.plugins.trial_import import import_problem

OWN_DISTRIBUTION = "karat-league"
"""Karat itself. The name `karat` belongs to another package on the public index."""
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
PACKAGES_OF_THE_BOX = frozenset({"engine", "inside_box", "numpy"})


class Unusable(Exception):
    """A game or kit cannot be used; the text is the end of a sentence that says why."""


@dataclass(frozen=True, slots=True)
class InstalledGame:
    """A game, and where it is imported from."""

    game: Game
    module: str
    attribute: str

    @property
    def slug(self) -> str:
        """The slug of the game."""
        return self.game.slug

    @property
    def package(self) -> str:
        """The top-level package that holds all of its rules."""
        return _top(self.module)


def accept_game(
    entry: EntryPoint, games: Mapping[str, InstalledGame], sdk: Sdk, *, trusted: bool
) -> InstalledGame:
    """Return the game of an entry point, or raise `Unusable`. `games` are those accepted before."""
    game = _load(entry)
    if not isinstance(game, Game):
        raise Unusable(f"{entry.value} is no Game but {type(game).__name__}")
    if not SLUG.fullmatch(game.slug):
        raise Unusable(f"its slug {game.slug!r} is not lower-case words joined by hyphens")
    if game.slug in games:
        raise Unusable(f"the slug {game.slug} belongs to {games[game.slug].module} already")
    installed = InstalledGame(game, entry.module, entry.attr)
    if not trusted:
        _check_name(installed.package, sdk)
        files = package_files("engine") | sdk_files(sdk) | _files(installed.package)
        _check_import(files, installed.module, installed.attribute)
    return installed


def accept_kit(
    entry: EntryPoint,
    kits: Mapping[str, Kit],
    games: Mapping[str, InstalledGame],
    sdk: Sdk,
    *,
    trusted: bool,
) -> Kit:
    """Return the kit of an entry point, or raise `Unusable`. `kits` are those accepted before."""
    kit = _load(entry)
    if not isinstance(kit, Kit):
        raise Unusable(f"{entry.value} is no Kit but {type(kit).__name__}")
    if kit.slug not in games:
        raise Unusable(f"there is no game {kit.slug} for it")
    if kit.slug in kits:
        raise Unusable(f"{kits[kit.slug].package} is the kit of {kit.slug} already")
    if kit.base is not None and kit.base in {"Bot", *(other.base for other in kits.values())}:
        raise Unusable(f"there is another base class {kit.base}")
    if not trusted:
        _check_name(_top(kit.package), sdk)
        files = package_files("engine") | sdk_files(sdk) | _files(games[kit.slug].package)
        _check_import(files | _checked_kit_files(kit), kit.package, kit.base or "")
    return kit


def sdk_files(sdk: Sdk) -> Files:
    """Return the files of the SDK that bots find in the box."""
    return chosen_files(sdk.package, sdk.in_box)


def kit_files(kit: Kit) -> Files:
    """Return the files of a kit that bots find in the box, its house bots among them."""
    house = [f"{HOUSE}/{path.name}" for path in sorted((kit.folder / HOUSE).glob("*.py"))]
    return chosen_files(kit.package, (*kit.in_box, *house))


def _load(entry: EntryPoint) -> object:
    # Whatever a package does when it is imported, the process that finds it runs on.
    try:
        value: object = entry.load()
    except (Exception, SystemExit) as error:
        raise Unusable(f"it cannot be imported ({type(error).__name__}: {error})") from error
    return value


def _check_name(package: str, sdk: Sdk) -> None:
    names = {*PACKAGES_OF_THE_BOX, sdk.package, *_own_packages(), *sys.stdlib_module_names}
    if package in names:
        raise Unusable(f"its package may not be called {package}")


def _own_packages() -> list[str]:
    try:
        return (distribution(OWN_DISTRIBUTION).read_text("top_level.txt") or "").split()
    except PackageNotFoundError:
        return []


def _files(package: str) -> Files:
    try:
        return package_files(package)
    except ImportError as error:
        raise Unusable(str(error)) from error


def _checked_kit_files(kit: Kit) -> Files:
    for name in kit.in_box:
        place = PurePosixPath(name)
        if place.is_absolute() or ".." in place.parts or place.suffix != ".py":
            raise Unusable(f"{name} is no Python file of the kit")
    try:
        files = kit_files(kit)
    except ImportError as error:
        raise Unusable(str(error)) from error
    for name, path in files.items():
        if not path.is_file():
            raise Unusable(f"its file {name} is missing")
    return files


def _check_import(files: Files, module: str, attribute: str) -> None:
    if problem := import_problem(files, module, attribute):
        raise Unusable(problem)


def _top(module: str) -> str:
    return module.partition(".")[0]
