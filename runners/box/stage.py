"""The folders a box sees: an interpreter with its libraries, and our part of the code.

They are copied once, named by what is in them, and never written again. So a box works no matter
who may read the clone or the interpreter, and shows nothing else of the host.
"""

import os
import py_compile
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from runners import inside_box
from runners.box.kernel import unix
from runners.box.leftovers import GROWING, end_orphans, hold, remove, remove_stale
from runners.box.manifest import GAMES_FILE, manifest
from runners.box.policy import (
    ABSENT_MODULES,
    BUNDLE_HOME,
    BUNDLES,
    KARAT_HOME,
    LIBRARIES,
    NOTHING,
    PACKAGES,
    PYTHON_HOME,
    NoWall,
)
from runners.plugins.files import numpy_folders

VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
LEFT_OUT = (
    *("__pycache__", "site-packages", "dist-packages", *ABSENT_MODULES),
    *("tests", "_tkinter*", "config-*", "*.a", "*.exe", "*.whl"),
)
IN_BOX_PROGRAM = Path(inside_box.__file__).parent
"""The program in the box: it lies there as bytecode, beside the packages that bots import."""
_LIBRARY = re.compile(r"^\t(?:\S+ => )?(/.+) \(0x", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the staged folders lie on the host."""

    python: Path
    karat: Path


class StageUnusable(NoWall):
    """The folder for what boxes see cannot be filled."""

    fix = "export KARAT_STAGE=/path/to/another/folder"

    def __init__(self, home: Path, reason: str) -> None:
        self.problem = f"Boxes need 100 MB in {home}, which cannot be written: {reason}."
        super().__init__(f"{self.problem} Choose another: {self.fix}")


@cache
def prepare_stage() -> Stage:
    """Return the folders for this interpreter and this code, made if they are not there yet."""
    home = stage_home()
    try:
        return _make_stage(home)
    except OSError as error:
        raise StageUnusable(home, error.strerror or str(error)) from error


def _make_stage(home: Path) -> Stage:
    make_reachable(home)
    with _lock(home):
        python = _make_once(home / f"python-{_python_key()}", _stage_python)
        karat = _make_once(home / f"karat-{_karat_key()}", _stage_karat)
        for folder in (python, karat):
            hold(folder)
        remove_stale(home)
    end_orphans(home)
    return Stage(python, karat)


def stage_home() -> Path:
    """Return where the folders lie: for root outside any home, as the drop user must get there."""
    name = os.environ.get("KARAT_STAGE")
    if name:
        return Path(name)
    if os.geteuid() == 0:
        return Path("/var/lib/karat/stage")
    cache_home = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache_home) if cache_home else Path.home() / ".cache") / "karat" / "stage"


def make_reachable(home: Path) -> None:
    """Make the folder and those above it, readable by all: a box runs as another user.

    Whatever else its controller writes is private.
    """
    missing = [folder for folder in (home, *home.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(exist_ok=True)
        os.chmod(folder, 0o755)


@contextmanager
def _lock(home: Path) -> Iterator[None]:
    with (home / "lock").open("w") as lock:
        unix.fcntl.flock(lock, unix.fcntl.LOCK_EX)
        yield


def _make_once(folder: Path, fill: Callable[[Path], None]) -> Path:
    if not folder.exists():
        growing = folder.with_name(f"{folder.name}{GROWING}")
        if growing.exists():
            remove(growing)
        growing.mkdir()
        fill(growing)
        _seal(growing)
        growing.rename(folder)
    status = folder.stat()
    if status.st_uid != os.geteuid() or status.st_mode & 0o022:
        raise NoWall(f"{folder} belongs to somebody else or is writable; remove it.")
    return folder


def _python_key() -> str:
    """Return a hash of the interpreter by its own date: its thousand files are not read."""
    marks = [sys.version, Path(__file__).read_text(encoding="utf-8")]
    for path in (_executable(), _stdlib() / "os.py", *map(_dated, numpy_folders())):
        status = path.stat()
        marks.append(f"{path} {status.st_size} {status.st_mtime_ns}")
    return sha256("\n".join(marks).encode()).hexdigest()[:16]


def _dated(folder: Path) -> Path:
    """Return what has the date of a package. Its folder gets a new one with the first bytecode."""
    first = folder / "__init__.py"
    return first if first.exists() else folder


def _karat_key() -> str:
    content = sha256(f"{sys.version}\n{manifest().digest()}".encode())
    for path in _program_files():
        content.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return content.hexdigest()[:16]


def _program_files() -> list[Path]:
    return sorted(IN_BOX_PROGRAM.glob("*.py"))


def _executable() -> Path:
    return Path(sys._base_executable).resolve()  # type: ignore[attr-defined]


def _stdlib() -> Path:
    return Path(sysconfig.get_path("stdlib"))


def _stage_python(root: Path) -> None:
    home = root / PYTHON_HOME.lstrip("/")
    (home / "bin").mkdir(parents=True)
    program = home / "bin" / "python3"
    shutil.copy2(_executable(), program)
    library = home / "lib" / VERSION
    shutil.copytree(_stdlib(), library, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for folder in numpy_folders():
        ignored = shutil.ignore_patterns("__pycache__", "tests", "*.pyi", "*.a")
        shutil.copytree(folder, root / PACKAGES.lstrip("/") / folder.name, ignore=ignored)
    _copy_libraries([program, *home.rglob("*.so*")], root)
    for place in (KARAT_HOME, BUNDLE_HOME, BUNDLES, NOTHING):
        (root / place.lstrip("/")).mkdir()
    _compile(home, root)


def _copy_libraries(programs: Iterable[Path], root: Path) -> None:
    """Copy what the linker would load into one folder, and the loader to where it is expected."""
    command = ["ldd", *map(str, programs)]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    flat = root / LIBRARIES.lstrip("/")
    flat.mkdir(exist_ok=True)
    for name in sorted(set(_LIBRARY.findall(output))):
        path = Path(name)
        if path.is_relative_to(root):
            continue
        shutil.copy2(path, flat / path.name)
        if path.name.startswith("ld-linux"):
            expected = root / name.lstrip("/")
            expected.parent.mkdir(parents=True, exist_ok=True)
            if not expected.exists():
                shutil.copy2(path, expected)


def _stage_karat(root: Path) -> None:
    content = manifest()
    (root / GAMES_FILE).write_text(content.games_text, encoding="utf-8")
    for place, path in content.files.items():
        target = root / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    for path in _program_files():
        place = f"{IN_BOX_PROGRAM.name}/{path.name}"
        py_compile.compile(
            str(path),
            cfile=str(root / f"{place}c"),
            dfile=f"{KARAT_HOME}/{place}",
            doraise=True,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
    _compile(root, root, KARAT_HOME)


def _compile(folder: Path, root: Path, inside: str = "/") -> None:
    """Compile to bytecode that is used without checking the source and has the paths of the box."""
    for path, _, _ in os.walk(folder):
        # Copies of folders that nobody may write to are like them.
        os.chmod(path, 0o755)
    options = ["-q", "-j", "0", "--invalidation-mode", "unchecked-hash"]
    # Some files of the standard library are broken on purpose; they fail when they are imported.
    subprocess.run(
        [sys.executable, "-m", "compileall", *options, "-s", str(root), "-p", inside, str(folder)],
        check=False,
        capture_output=True,
    )


def _seal(root: Path) -> None:
    """Let everybody read and nobody write."""
    for path in [*root.rglob("*"), root]:
        if not path.is_symlink():
            runs = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o555 if runs else 0o444)
