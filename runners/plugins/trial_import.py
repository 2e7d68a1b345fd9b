"""Trying an installed game or kit as a box will: with the files it will get there, and no others.

The import happens in a child, so that a package that hangs, exits or crashes is refused and the
process that asked runs on.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from runners.box.policy import ABSENT_MODULES
from runners.plugins.files import Files, numpy_folders

MAX_SECONDS = 20.0

_PROGRAM = """
import json, sys
module, attribute, *absent = sys.argv[1:]
sys.path += ["code", "packages"]
sys.modules.update(dict.fromkeys(absent))
try:
    imported = __import__(module, fromlist=["*"])
    if attribute:
        getattr(imported, attribute)
    error = None
except BaseException as problem:
    missing = problem.name if isinstance(problem, ModuleNotFoundError) else None
    error = {"missing": missing, "text": f"{type(problem).__name__}: {problem}"}
print()
print(json.dumps(error))
"""


def import_problem(files: Files, module: str, attribute: str = "") -> str | None:
    """Return why a box could not import this of these files, or nothing if it could."""
    python = (sys.executable, "-I", "-S", "-B", "-c", _PROGRAM)
    with TemporaryDirectory(prefix="karat-import-") as folder:
        _lay_out(files, Path(folder))
        try:
            child = subprocess.run(
                [*python, module, attribute, *ABSENT_MODULES],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=MAX_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"importing it takes more than {MAX_SECONDS:.0f} s"
    return _read_problem(child)


def _lay_out(files: Files, folder: Path) -> None:
    (folder / "packages").mkdir()
    for package in numpy_folders():
        (folder / "packages" / package.name).symlink_to(package)
    for place, path in files.items():
        target = folder / "code" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def _read_problem(child: "subprocess.CompletedProcess[bytes]") -> str | None:
    # Before the last line there is whatever the package printed.
    try:
        error = json.loads(child.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        return f"importing it ends the process (exit status {child.returncode})"
    if error is None:
        return None
    if error["missing"]:
        return f"it needs {error['missing']}, which a box does not have"
    return f"it cannot be imported in a box ({error['text']})"
