"""The machine of an author: an environment that holds the site's wheel and nothing of this clone.

It lies in a folder that every user may read, and its Python is one that every user may run, so that
root and a plain user can do the same things with it.
"""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import files, requires
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from league.pages import sdk
from tests.first_hour.console import Shell

PLAIN_USER: dict[str, Any] = {"user": "nobody", "group": "nogroup", "extra_groups": []}


def python_for_everybody() -> Path | None:
    """Return a Python that every user of this machine may run, or None."""
    names = [sys.executable, *(f"/usr/bin/python3{minor}" for minor in ("", ".13", ".12", ".11"))]
    candidates = [Path(os.path.realpath(name)) for name in names]
    return next((path for path in candidates if _runs_for_everybody(path)), None)


def _runs_for_everybody(path: Path) -> bool:
    same_version = f"import sys, venv; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    return (
        path.exists()
        and all(folder.stat().st_mode & stat.S_IXOTH for folder in path.parents)
        and subprocess.run([path, "-c", same_version], check=False).returncode == 0
    )


@contextmanager
def _readable_by_everybody() -> Iterator[None]:
    """Let everybody read what is created in the block; the league's own files are private."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


@dataclass(frozen=True)
class Machine:
    """A folder with an environment."""

    folder: Path

    def shell(self, home: Path, *, sandbox: str = "auto", plain_user: bool = False) -> Shell:
        """Return a shell in a new home, which boxes bots this way."""
        home.mkdir()
        identity = PLAIN_USER if plain_user else {}
        if plain_user:
            shutil.chown(home, PLAIN_USER["user"], PLAIN_USER["group"])
        environment = {
            "PATH": f"{self.folder / 'venv' / 'bin'}{os.pathsep}/usr/bin:/bin",
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "SANDBOX": sandbox,
        }
        return Shell(home, environment, identity)


@contextmanager
def machine(python: Path) -> Iterator[Machine]:
    """Yield a machine with the site's wheel; it goes with the block."""
    with _readable_by_everybody(), tempfile.TemporaryDirectory(prefix="karat-author-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        _install_wheel(folder / "venv", python)
        yield Machine(folder)


def _install_wheel(folder: Path, python: Path) -> None:
    """Install the site's wheel as its page says, with copies of what it needs."""
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    site_packages = next(folder.glob("lib/python3*/site-packages"))
    options = "--no-index --no-deps --quiet --no-compile --disable-pip-version-check".split()
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    subprocess.run([*pip, "install", *options, sdk.wheel()], check=True)
    for name in sorted(_needs(sdk.facts().needs)):
        _copy(name, site_packages)


def _needs(requirements) -> set[str]:
    """Return the names of all distributions that these requirements bring."""
    names: set[str] = set()
    waiting = [Requirement(text) for text in requirements]
    while waiting:
        requirement = waiting.pop()
        if requirement.name in names or (
            requirement.marker and not requirement.marker.evaluate({"extra": ""})
        ):
            continue
        names.add(requirement.name)
        waiting += [Requirement(text) for text in requires(requirement.name) or ()]
    return names


def _copy(name: str, site_packages: Path) -> None:
    """Copy an installed distribution, without its scripts and what was compiled on import."""
    for file in files(name) or ():
        if ".." not in file.parts and "__pycache__" not in file.parts:
            target = site_packages / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file.locate(), target)
