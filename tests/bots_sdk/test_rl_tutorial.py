"""The tutorial of the page about reinforcement learning, its commands run in a short form."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots_sdk.training.recipe import find_recipe
from tests import console_examples

PAGE = Path(__file__).parents[2] / "docs" / "reinforcement-learning.md"
SHORT = " --lessons 12 --rounds 1"
BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def session():
    return console_examples.commands(PAGE.read_text(encoding="utf-8"))


def run(command, folder):
    """Run a command of the page as an author does, in a folder of theirs."""
    env = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "OPENBLAS_NUM_THREADS": "1"}
    text = command.text + SHORT if "bots_sdk.training" in command.text else command.text
    return subprocess.run(
        ["bash", "-c", text], cwd=folder, env=env, check=False, capture_output=True, text=True
    )


def test_the_commands_of_the_tutorial_train_play_check_and_pack_a_network(session, tmp_path):
    outputs = {}
    for command in session:
        done = run(command, tmp_path)
        assert done.returncode == 0, (command.text, done.stdout, done.stderr)
        outputs[" ".join(command.text.split()[:3])] = done.stdout
    folder = tmp_path / "my_net"
    page = PAGE.read_text(encoding="utf-8")
    for name in ("bot.py", "layer1.npy", "layer3.npy", "inputs3.npy", "inputs5.npy"):
        assert (folder / name).is_file()
        assert f"`{name}`" in page
    assert "class MyNet(Bot)" in (folder / "bot.py").read_text()
    assert "loss" in outputs["python -m bots_sdk.training"]
    assert "round 1: mean reward" in outputs["python -m bots_sdk.training"]
    assert "my_net" in outputs["karat watch match.json"]
    assert (tmp_path / "my_net.zip").is_file()


def test_the_page_names_all_steps_and_the_bots_that_were_made_so(session):
    page = PAGE.read_text(encoding="utf-8")
    words = " ".join(command.text for command in session)
    for step in ("bots_sdk.training", "karat play", "karat watch", "karat check", "karat pack"):
        assert step in words
    assert "    karat push my_net" in page
    for game in ("edel-stein-reich", "basari", "edelsteinsuche"):
        assert find_recipe(game).bot in page
