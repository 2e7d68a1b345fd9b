"""The commit that later ones are measured against, checked out into a folder of its own.

Its environment is made by its own set-up from its own lock. Both stay in `var/bench` for the next
run; remove the folder to have them made again.
"""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
COMMIT = "0b1820e4d9d8653ad9c2a4217332be57d6e90624"
FOLDER = ROOT / "var" / "bench" / COMMIT[:7]
PROBES = Path(__file__).parent / "probes"
FORMER, CURRENT = "former", "now"


class FormerMissing(Exception):
    """The commit to compare with cannot be had here."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A working tree with an environment of its own."""

    name: str
    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / ".venv" / "bin" / "python"

    @property
    def karat(self) -> Path:
        """Its `karat` command."""
        return self.folder / ".venv" / "bin" / "karat"

    @property
    def env(self) -> dict[str, str]:
        """The environment of its programs: nothing in it names another checkout."""
        others = (
            "VIRTUAL_ENV",
            "KARAT_VAR",
            "DATABASE_URL",
            "REDIS_URL",
            "PYTHONDONTWRITEBYTECODE",
        )
        kept = {name: value for name, value in os.environ.items() if name not in others}
        return {**kept, "PYTHONPATH": str(self.folder)}

    def probe(self, name: str, *arguments: str) -> list[str]:
        """Return the command that measures something with the code of this checkout.

        `-P` keeps the folder of the probe, which is ours, from where its imports are looked up.
        """
        return [str(self.python), "-P", str(PROBES / f"{name}.py"), *arguments]


def current() -> Checkout:
    """Return the tree this file is in; `make bench` has set it up."""
    return Checkout(CURRENT, ROOT)


def former(root: Path = ROOT, folder: Path = FOLDER) -> Checkout:
    """Return the former commit, checked out and set up; the first time takes a minute."""
    checkout = Checkout(FORMER, folder)
    if not (folder / "deploy" / "setup.sh").exists():
        _check_out(root, folder)
    try:
        subprocess.run([folder / "deploy" / "setup.sh"], check=True, capture_output=True, text=True)
    except subprocess.CalledProcessError as error:
        raise FormerMissing(f"its environment cannot be made: {error.stderr.strip()}") from error
    return checkout


def _check_out(root: Path, folder: Path) -> None:
    git = ["git", "-C", str(root)]
    try:
        known = subprocess.run(
            [*git, "cat-file", "-e", f"{COMMIT}^{{commit}}"], check=False, capture_output=True
        )
    except FileNotFoundError as error:
        raise FormerMissing("git is not installed") from error
    if known.returncode:
        raise FormerMissing(
            f"commit {COMMIT[:7]} is not in the history of this copy; a full clone has it"
        )
    print(f"Checking out commit {COMMIT[:7]} and making its environment, once", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen([*git, "archive", COMMIT], stdout=subprocess.PIPE) as archive:
        subprocess.run(
            ["tar", "--extract", "--directory", folder], stdin=archive.stdout, check=True
        )
    if archive.returncode:
        raise FormerMissing(f"git archive ended with status {archive.returncode}")


def both() -> list[Checkout]:
    """Return the former and the current tree, or only the current one and say why."""
    try:
        return [former(), current()]
    except FormerMissing as missing:
        print(f"No comparison with commit {COMMIT[:7]}: {missing}.", flush=True)
        return [current()]
