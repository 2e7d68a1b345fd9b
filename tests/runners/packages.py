"""Little packages with games and kits, laid out as pip would, and what a process makes of them."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

FOURTH_GAME = Path(__file__).parents[1] / "fourth_game"

GAME = """
from dataclasses import replace

from engine.games.basari import GAME as BASARI

GAME = replace(BASARI, slug={slug!r}, name="A game", package=__name__, seats={seats!r})
"""
KIT = """
from runners.plugins.kit import Kit

KIT = Kit(slug={slug!r}, package={package!r}, base={base!r}, in_box=("__init__.py", "bot.py"))
"""
BASE = """
from bots_sdk import Bot

class {base}(Bot):
    games = ({slug!r},)
"""
PROGRAM = """
import json
import runners
from engine.registry import GAMES
from runners.box.manifest import manifest
from runners.limits import max_seats
from runners.plugins.discovery import kits, refusals

print(json.dumps({
    "games": list(GAMES),
    "kits": sorted(kits()),
    "refusals": list(map(str, refusals())),
    "files": sorted(manifest().files),
    "importable": sorted(manifest().importable),
    "bases": dict(manifest().bases),
    "digest": manifest().digest(),
    "max_seats": max_seats(),
}))
"""


def install(folder, name, files, *, games="", kits="", others=""):
    """Lay out a package with its metadata. `games` and `kits` are lines of entry points."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    metadata = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = f"[karat.games]\n{games}\n[karat.kits]\n{kits}\n{others}\n"
    (metadata / "entry_points.txt").write_text(lines)


def install_game(folder, package="ruby", slug="ruby", seats=(2, 3), **more):
    """Install a package that has a good game and nothing else."""
    files = {f"{package}/__init__.py": GAME.format(slug=slug, seats=seats), **more}
    install(folder, f"karat-{package}", files, games=f"{slug} = {package}:GAME")


def install_kit(folder, package="ruby_kit", slug="ruby", base="RubyBot", **files):
    """Install a kit in a package of its own; `files` replaces its parts."""
    parts = {
        "__init__": f"from {package}.bot import {base}\n",
        "bot": BASE.format(base=base, slug=slug),
        "kit": KIT.format(base=base, slug=slug, package=package),
        "house/first": "",
    } | files
    install(
        folder,
        f"karat-{package}",
        {f"{package}/{name}.py": text for name, text in parts.items()},
        kits=f"{slug} = {package}.kit:KIT",
    )


def install_fourth_game(folder):
    """Lay out the package of the tests as its own pyproject.toml says."""
    project = tomllib.loads((FOURTH_GAME / "pyproject.toml").read_text())["project"]
    for package in FOURTH_GAME.glob("*/__init__.py"):
        (folder / package.parent.name).symlink_to(package.parent)
    lines = {
        group: "\n".join(f"{name} = {value}" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    }
    install(folder, project["name"], {}, games=lines["karat.games"], kits=lines["karat.kits"])


def run(folder, program, **environment):
    """Run a program in a process that has these packages."""
    return subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(folder)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def discover(folder):
    """Return what a process finds that has these packages, and what it logs."""
    done = run(folder, PROGRAM)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr
