"""The modules of a bundle: which file an import names, and which files import each other.

Modules of Python and of the box come first: a file of the same name is only found by a relative
import, as the program in the box does it.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from .imports import is_library, statement
from .parsing import Import
from .problems import Json, Problem

PACKAGE_FILE = "__init__.py"
MAX_CYCLES = 5
"""Notices of cycles; whoever gets these will look for the others."""


@dataclass(frozen=True, slots=True)
class Target:
    """What one name of an import is: a file of the bundle, or a folder without one of its own."""

    path: str
    alias: ast.alias
    is_module: bool
    """Whether the name is a module, and not something that a module holds."""

    @property
    def is_file(self) -> bool:
        """Whether it is a file; folders run nothing when they are imported."""
        return self.path.endswith(".py")


class Modules:
    """All files of a bundle as Python finds them by an import."""

    def __init__(self, paths: Iterable[str], entry: str, terms: Json) -> None:
        self.entry = entry
        self._files = set(paths)
        self._folders = {
            folder for path in self._files for folder in _folders_above(path) if folder
        }
        self._terms = terms

    def targets(self, importer: str, node: Import) -> list[Target]:
        """Return what an import names in the bundle; nothing for libraries.

        Raise a `Problem` if there is no such module.
        """
        if isinstance(node, ast.Import):
            names = [name for name in node.names if not is_library(name.name, self._terms)]
            return [Target(self._named(name.name, node), name, is_module=True) for name in names]
        if node.level == 0 and is_library(node.module or "", self._terms):
            return []
        base = self._base(importer, node)
        return [self._member(base, alias, node) for alias in node.names]

    def own_file(self, module: str) -> str | None:
        """Return the file at the top of the bundle that a module of this name would be."""
        top = module.partition(".")[0]
        path = self._resolve("", top)
        return path if path and path.endswith(".py") else None

    def _base(self, importer: str, node: ast.ImportFrom) -> str:
        """Return the module that an import takes something from."""
        if node.level == 0:
            return self._named(node.module or "", node)
        above = _folders_above(importer)
        if node.level > len(above):
            raise missing(node)
        folder = above[node.level - 1]
        if node.module is None:
            return self._package(folder)
        path = self._resolve(folder, node.module)
        if path is None:
            raise missing(node)
        return path

    def _member(self, base: str, alias: ast.alias, node: ast.ImportFrom) -> Target:
        """Return a name that is taken from a module: another module, or something it holds."""
        if _is_package(base) or base == self.entry or base in self._folders:
            folder = base if base in self._folders else base.rpartition("/")[0]
            if path := self._resolve(folder, alias.name):
                return Target(path, alias, is_module=True)
            if base in self._folders and alias.name != "*":
                raise missing(node)
        return Target(base, alias, is_module=False)

    def _named(self, dotted: str, node: Import) -> str:
        path = self._resolve("", dotted)
        if path is None:
            raise missing(node)
        return path

    def _package(self, folder: str) -> str:
        """Return the file that runs when a folder is imported, or the folder if there is none."""
        if not folder:
            return self.entry
        path = f"{folder}/{PACKAGE_FILE}"
        return path if path in self._files else folder

    def _resolve(self, folder: str, dotted: str) -> str | None:
        """Return the file or folder of a module below a folder."""
        path = ""
        for part in dotted.split("."):
            if path.endswith(".py") and not _is_package(path):
                return None
            below = f"{folder}/{part}" if folder else part
            module = f"{below}.py"
            if below in self._folders and self._package(below) != below:
                path = self._package(below)
            elif module in self._files:
                path = module
            elif below in self._folders:
                path = below
            else:
                return None
            folder = below
        return path


def missing(node: Import) -> Problem:
    """Return the problem that no module has the name that an import names."""
    return Problem("E110", {"line": node.lineno, "statement": statement(node)}, node.lineno)


Edges = dict[str, dict[str, int]]
"""The files that each file imports when it is loaded, with the line where it does."""


def cycles(edges: Edges) -> Iterator[list[str]]:
    """Yield files that import each other while they are loaded, in the order of their imports."""
    graph = {path: set(imported) - {path} for path, imported in edges.items()}
    for _ in range(MAX_CYCLES):
        try:
            TopologicalSorter({path: sorted(graph[path]) for path in sorted(graph)}).prepare()
        except CycleError as error:
            cycle = error.args[1][:0:-1]
            first = cycle.index(min(cycle))
            cycle = cycle[first:] + cycle[:first]
            yield cycle
            graph[cycle[0]].discard(cycle[1])
        else:
            return


def _is_package(path: str) -> bool:
    return path.rpartition("/")[2] == PACKAGE_FILE


def _folders_above(path: str) -> list[str]:
    """Return the folders of a file, the nearest first; the last is the bundle itself."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:depth]) for depth in range(len(parts), -1, -1)]
