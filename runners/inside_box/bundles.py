"""Load a bot that is a folder: its modules import each other, and nothing of ours is replaced.

The folder comes last in `sys.path`, so that a module called like one of the standard library or of
Karat's is only found as a part of the bundle (`from .random import x`), whatever is loaded already.
"""

import _frozen_importlib as importing
import _frozen_importlib_external as files
import sys

from .main import MODULE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Loader = files.SourceFileLoader
    Sdk = Any
    Untrusted = Any
    """Whatever JSON or a bot brings."""
else:
    Loader = files.SourceFileLoader


class BundleLoader(Loader):
    """Load a module from its text and from nothing else, under the name its author knows."""

    folder = ""

    def path_stats(self, path: str) -> "Untrusted":
        """Say that nothing is known of the file: no bytecode is looked for."""
        raise OSError(path)

    def get_filename(self, _name: "str | None" = None) -> str:
        """Return what tracebacks call the module: its path in the bundle."""
        return str(self.path).removeprefix(f"{self.folder}/")

    def get_data(self, path: str) -> bytes:
        """Read a file, which may be called by its path in the bundle."""
        return super().get_data(path if path.startswith("/") else f"{self.folder}/{path}")


def finder_of(folder: str) -> "Callable[[str], Untrusted]":
    """Return a hook of `sys.path_hooks` for a folder: only `.py` files are modules there."""

    def find(path: str) -> "Untrusted":
        if path != folder and not path.startswith(f"{folder}/"):
            raise ImportError
        return files.FileFinder(path, (BundleLoader, [".py"]))

    return find


def load_bundle(program: "Untrusted", sdk: "Sdk") -> "Untrusted":
    """Return the bot of a bundle. The first byte of it runs here."""
    folder, file = program["folder"], program["file"]
    BundleLoader.folder = folder
    sys.path_hooks.insert(0, finder_of(folder))
    sys.path.append(folder)
    path = f"{folder}/{file}"
    # A package, whatever the file is called: so that it can say `from .model import x`.
    spec: Untrusted = files.spec_from_file_location(
        MODULE, path, loader=BundleLoader(MODULE, path), submodule_search_locations=[folder]
    )
    module = importing.module_from_spec(spec)
    sys.modules[MODULE] = module
    sdk.Bot._seed, sdk.Bot._folder = program["seed"], folder
    code = compile(program["source"], file, "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102  this is what the box is for
    return sdk.find_bot(module.__dict__, MODULE)()


def forget_bundle(sdk: "Sdk") -> None:
    """Undo what loading a bundle changed, but for the modules it loaded."""
    folder = sys.path.pop()
    del sys.path_hooks[0], sys.modules[MODULE]
    for path in [path for path in sys.path_importer_cache if path.startswith(folder)]:
        del sys.path_importer_cache[path]
    sdk.Bot._seed, sdk.Bot._folder = "", None
    BundleLoader.folder = ""
