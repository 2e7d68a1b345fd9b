"""The Python files of installed packages, by their places in a box. Nothing here runs them."""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

Files = dict[str, Path]
"""Files by their path below the folder that a box imports from, such as `engine/rng.py`."""


def folder_of(package: str) -> Path:
    """Return where the files of a package lie."""
    origin = _origin(package)
    if origin.name != "__init__.py":
        raise ImportError(f"{package} is no package with an __init__.py", name=package)
    return origin.parent


def package_files(name: str) -> Files:
    """Return all Python files of a top-level package, or of a module that is a single file."""
    origin = _origin(name)
    if origin.name != "__init__.py":
        return {origin.name: origin}
    folder = origin.parent
    return {
        f"{name}/{path.relative_to(folder).as_posix()}": path
        for path in sorted(folder.rglob("*.py"))
    }


def chosen_files(package: str, names: Iterable[str]) -> Files:
    """Return these files of a package, and what Python needs to import it: all `__init__.py`."""
    parts = package.split(".")
    files = {}
    for depth in range(1, len(parts)):
        parent = folder_of(".".join(parts[:depth]))
        files["/".join((*parts[:depth], "__init__.py"))] = parent / "__init__.py"
    folder = folder_of(package)
    for name in ("__init__.py", *names):
        files["/".join((*parts, name))] = folder / name
    return files


def numpy_folders() -> list[Path]:
    """Return the folders of numpy: the package, and its libraries where they lie apart."""
    if find_spec("numpy") is None:
        return []
    package = folder_of("numpy")
    return [path for path in (package, package.with_name("numpy.libs")) if path.is_dir()]


def _origin(name: str) -> Path:
    spec = find_spec(name)
    if spec is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    if spec.origin is None or not spec.origin.endswith(".py"):
        raise ImportError(f"{name} is no ordinary Python package", name=name)
    return Path(spec.origin)
