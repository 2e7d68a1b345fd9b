"""The tutorial that adds a game, done as it says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installing import install

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
FILE = re.compile(r"`(pebbles/[\w./]+)`[^`]*?```\w+\n(.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tutorial")
    files = FILE.findall(PAGE)
    assert len(files) == 5
    for name, text in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / "pebbles"


@pytest.fixture(scope="module")
def environment(package, tmp_path_factory):
    return install(package, tmp_path_factory.mktemp("installed"))


def run(command, environment, folder):
    done = subprocess.run(
        command,
        check=False,
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_rules_conform(package, environment):
    run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", package],
        environment,
        package,
    )


def test_the_command_knows_the_game(environment, tmp_path):
    karat = Path(sys.executable).with_name("karat")
    play, verify = [
        line.split()[1:]
        for line in PAGE.splitlines()
        if re.match(r" {4}\.venv/bin/karat (p|v)", line)
    ]
    played = run([karat, *play], environment, tmp_path)
    assert "Pebbles, 3 seats, seed 7" in played
    assert "1 of 1" in run([karat, *verify], environment, tmp_path)


def test_the_presentation_tells_it_better(package, environment, tmp_path):
    program = """
from dataclasses import replace
from bots_sdk.conformance import check_game
from pebbles import GAME
from pebbles.presentation import PebblesPresentation, narrate
from runners.match import play
from runners.players import RandomPlayer
game = replace(GAME, slug="told", presentation=PebblesPresentation(), narrate=narrate)
check_game(game, seeds=("1",))
record = play(game, [RandomPlayer("1"), RandomPlayer("2")], "7", recorded=True).record
print(record["steps"][0]["text"], record["steps"][-1]["text"])
"""
    told = run([sys.executable, "-c", program], environment, tmp_path)
    assert re.fullmatch(
        r"\d+ pebbles lie on the table\. The heap is gone\. \{\d\} wins with .*\n", told
    )
