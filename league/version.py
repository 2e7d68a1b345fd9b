"""Which code this is: matches are played by workers of one version."""

from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from runners.box.manifest import manifest
from runners.plugins.acceptance import OWN_DISTRIBUTION


@cache
def karat() -> str:
    """The release."""
    return version(OWN_DISTRIBUTION)


@cache
def rules_code() -> str:
    """Return a hash of all code that decides how a match runs, installed games included."""
    root = Path(__file__).resolve().parents[1]
    files = sorted(file for part in ("engine", "runners") for file in (root / part).rglob("*.py"))
    together = sha256(manifest().digest().encode())
    for file in files:
        together.update(file.relative_to(root).as_posix().encode())
        together.update(file.read_bytes())
    return together.hexdigest()[:16]
