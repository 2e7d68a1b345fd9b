"""Installing a package of the tests as an operator would, into a folder of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path


def install(package: Path, folder: Path) -> dict[str, str]:
    """Install a package by pip; return the environment in which it is found."""
    # Setuptools leaves files beside the sources.
    source = folder / "source"
    shutil.copytree(package, source, ignore=shutil.ignore_patterns("__pycache__", "test_*.py"))
    site = folder / "site"
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", *options, "--target", site, source],
        check=True,
    )
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *_own_path()])}


def _own_path() -> list[str]:
    given = os.environ.get("PYTHONPATH")
    return [given] if given else []
