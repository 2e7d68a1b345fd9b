"""Authors get types: every bot that they are shown passes mypy strict and pyright strict.

It is checked where an author works: in an environment with the wheel of the site, and no clone.
"""

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from league.pages import sdk
from tests.bots_sdk import examples

NEEDS = ("numpy", "pytest", "_pytest", "pluggy", "iniconfig", "packaging")
"""What the examples import besides the SDK."""


@pytest.fixture(scope="module")
def author(tmp_path_factory):
    """The folder of an author who installed the SDK from the site, with all examples in it."""
    home = tmp_path_factory.mktemp("author")
    venv.create(home / "venv", symlinks=True)
    python = home / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile"]
    offline = ["--no-index", "--no-deps", "--disable-pip-version-check"]
    subprocess.run([*pip, *offline, sdk.wheel()], check=True)
    (packages,) = home.glob("venv/lib/python3*/site-packages")
    own = Path(sys.prefix, packages.relative_to(home / "venv"))
    for name in NEEDS:
        (packages / name).symlink_to(own / name)
    (home / "bots").mkdir()
    for name, text in shown():
        (home / "bots" / name).write_text(text, encoding="utf-8")
    return home


def shown():
    yield from examples.documented_bots()
    yield from examples.documented_snippets()
    yield from examples.starter_bots()
    yield from examples.house_bots()


def run(author, tool, *arguments):
    """Run a checker of ours on the author's files, with the author's Python."""
    command = Path(sys.executable).with_name(tool)
    assert command.exists(), f"{tool} is missing: run `make setup`"
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(author),
        # Otherwise the wrapper looks for a newer version on the network, to recommend it.
        "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1",
    }
    return subprocess.run(
        [command, *arguments],
        cwd=author / "bots",
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_names_of_the_examples_are_their_own():
    names = [name for name, _ in shown()]
    assert len(set(names)) == len(names)
    assert {"my_bot.py", "house_basari_greedy.py", "starter_plain.py"} <= set(names)


def test_every_bot_that_authors_are_shown_passes_mypy_strict(author):
    done = run(
        author,
        "mypy",
        "--strict",
        "--config-file=",
        f"--cache-dir={author / 'cache'}",
        f"--python-executable={author / 'venv/bin/python'}",
        ".",
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_bot_that_authors_are_shown_passes_pyright_strict(author):
    settings = author / "bots" / "pyrightconfig.json"
    settings.write_text(json.dumps({"typeCheckingMode": "strict"}))
    done = run(author, "pyright", f"--pythonpath={author / 'venv/bin/python'}")
    assert done.returncode == 0, done.stdout + done.stderr


MISTAKES = """
from collections.abc import Sequence

from bots_sdk.games.basari import BasariAnswerView, BasariBarterView, BasariBot, BasariView, Offer
from bots_sdk.games.edelsteinsuche import EdelsteinsucheBot, EdelsteinsucheView


class Mistaken(BasariBot):
    def choose_action(self, view: BasariView, options: Sequence[str]) -> str:
        self.note(view.bartr)  # refused: no such field
        self.note(view.barter.action)  # refused: there may be no barter
        return 7  # refused: not a move

    def open_barter(self, view: BasariBarterView, options: Sequence[str]) -> Offer:
        self.note(view.barter.action)
        return Offer.of(view.barter.offer)  # refused: there is no offer yet

    def answer_offer(self, view: BasariAnswerView, options: Sequence[str]) -> Offer:
        self.note(view.me.money)  # refused: of another game
        return Offer.of(view.barter.offer) + Offer(1)

    def pick_free(self, view: BasariAnswerView, options: Sequence[str]) -> str:  # refused: view
        return options[0]


class Drawn(EdelsteinsucheBot):
    def draw(self, view: EdelsteinsucheView, options: Sequence[str]) -> str:
        return view.hand  # refused: there may be none
"""


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (
            "mypy",
            ["--strict", "--config-file=", "--cache-dir={cache}", "--python-executable={python}"],
        ),
        ("pyright", ["--pythonpath={python}"]),
    ],
)
def test_a_misspelt_field_and_what_may_be_missing_are_found(author, tool, arguments):
    mistakes = author / "mistakes.py"
    mistakes.write_text(MISTAKES, encoding="utf-8")
    places = {"cache": author / "cache", "python": author / "venv/bin/python"}
    done = run(author, tool, *(one.format(**places) for one in arguments), mistakes)
    lines = {int(line) for line in re.findall(r"mistakes\.py:(\d+)\S* (?:- )?error", done.stdout)}
    refused = {n for n, line in enumerate(MISTAKES.splitlines(), 1) if "# refused" in line}
    assert lines == refused, done.stdout


@pytest.mark.parametrize("package", sdk.PACKAGES)
def test_the_wheel_says_that_its_packages_are_typed(author, package):
    (packages,) = author.glob("venv/lib/python3*/site-packages")
    assert (packages / package / "py.typed").exists()
