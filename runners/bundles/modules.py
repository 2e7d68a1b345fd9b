"""The modules of a bundle that plays in this process: as alone as in a box of their own.

Every player runs the files anew. While it thinks, its modules are in `sys.modules` by their plain
names; before and after, nobody sees them, nor do they see those of another bundle. The names are
those of a box (`runners/inside_box/bundles.py`), and as there a bundle cannot replace what every
bot can import, such as the standard library.
"""

import importlib
import linecache
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType, TracebackType

from runners.box.manifest import manifest

PACKAGE = "bot"
"""The module of the entry file; it is a package, so that `from .model import …` works in it."""
_INIT = "__init__.py"
_NOTHING = compile("", "<folder>", "exec")


def is_reserved(module: str) -> bool:
    """Tell whether a top-level name belongs to what every bot can import."""
    return module in sys.stdlib_module_names or module in manifest().importable


@dataclass(frozen=True, slots=True)
class PythonFile:
    """A file that was read and compiled once, for all who play it."""

    text: str
    code: CodeType
    shown_path: str
    """What tracebacks call it."""


@dataclass(frozen=True)
class PythonFiles:
    """All Python files of a bundle, by their paths in it."""

    folder: Path
    entry: str
    files: Mapping[str, PythonFile]
    folders: frozenset[str]
    """All folders, also those that hold data only."""

    @cached_property
    def top_names(self) -> frozenset[str]:
        """The modules at its top, and its package."""
        tops = {path.partition("/")[0].removesuffix(".py") for path in {*self.files, *self.folders}}
        return frozenset({PACKAGE, *(name for name in tops if not is_reserved(name))})

    def locate(self, module: str) -> str | None:
        """Return the path of a module: that of its file, or of a folder without one."""
        if module == PACKAGE:
            return self.entry
        if module.partition(".")[0] not in self.top_names:
            return None
        path = module.removeprefix(f"{PACKAGE}.").replace(".", "/")
        places = (place for place in (f"{path}/{_INIT}", f"{path}.py") if place in self.files)
        return next(places, path if path in self.folders else None)

    def show_lines(self) -> None:
        """Let tracebacks show the lines that ran, whatever is in the files by now."""
        for file in self.files.values():
            lines = file.text.splitlines(keepends=True)
            linecache.cache[file.shown_path] = len(file.text), None, lines, file.shown_path


class BundleLoader(SourceFileLoader):
    """Runs a file that was compiled before; a folder without one has nothing to run."""

    def __init__(self, name: str, path: str, file: PythonFile | None) -> None:
        super().__init__(name, path)
        self._file = file

    def get_code(self, fullname: str) -> CodeType | None:  # noqa: ARG002
        """Return the code of the file."""
        return self._file.code if self._file else _NOTHING

    def get_source(self, fullname: str) -> str | None:  # noqa: ARG002
        """Return the text of the file."""
        return self._file.text if self._file else None


class ModuleSpace(MetaPathFinder):
    """The modules of one player, there in a `with` block, which is entered for every call."""

    def __init__(self, files: PythonFiles) -> None:
        self._files = files
        self._own: dict[str, ModuleType] = {}
        self._others: dict[str, ModuleType] = {}
        """What has the names of ours, outside."""
        self._names: set[str] = set()

    def __enter__(self) -> None:
        modules = sys.modules
        self._others = _with_names(modules, self._files.top_names)
        for name in self._others:
            del modules[name]
        modules.update(self._own)
        sys.meta_path.insert(0, self)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        modules = sys.modules
        sys.meta_path.remove(self)
        self._own = {name: modules.pop(name) for name in self._names if name in modules}
        modules.update(self._others)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Return where a module of the bundle is; all others are looked for as usual."""
        place = self._files.locate(fullname)
        if place is None:
            return None
        self._names.add(fullname)
        file = self._files.files.get(place)
        location = self._files.folder / place
        if file is None:
            # Its resources are found beside the file that it could have.
            location /= _INIT
        loader = BundleLoader(fullname, str(location), file)
        is_package = fullname == PACKAGE or location.name == _INIT
        locations = [str(location.parent)] if is_package else None
        return spec_from_file_location(
            fullname, location, loader=loader, submodule_search_locations=locations
        )

    def run_entry(self) -> ModuleType:
        """Run the file with the bot, and return its module."""
        return importlib.import_module(PACKAGE)


def is_import_frame(file: str) -> bool:
    """Tell whether a frame of this file only leads from one module of a bundle to the next."""
    return file in {__file__, importlib.__file__} or file.startswith("<frozen importlib")


def _with_names(modules: Mapping[str, ModuleType], tops: Iterable[str]) -> dict[str, ModuleType]:
    """Return the modules that have these names, with what is inside of them; mostly none."""
    present = [top for top in tops if top in modules]
    if not present:
        return {}
    inside = tuple(f"{top}." for top in present)
    return {
        name: module
        for name, module in modules.items()
        if name in present or name.startswith(inside)
    }
