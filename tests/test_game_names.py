"""A game is two folders: no other file names it."""

import ast
import re
from pathlib import Path

import pytest

from engine.registry import GAMES

ROOT = Path(__file__).parents[1]
PARTS = ("engine", "runners", "bots_sdk", "league", "deploy")
KINDS = {".py", ".js", ".css", ".html", ".toml", ".sh", ".yaml", ".svg"}
EXAMPLE = {"examples", "epilog", "help"}
"""Arguments in which a game may be named as an example."""


def _files():
    for part in PARTS:
        for path in (ROOT / part).rglob("*"):
            if path.suffix in KINDS and path.relative_to(ROOT).parts[1] != "games":
                yield path


def _text(path):
    """Return what a file says; of Python without docstrings, comments and examples."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return text
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = None
        if isinstance(node, ast.Call):
            node.keywords = [word for word in node.keywords if word.arg not in EXAMPLE]
    return ast.unparse(tree)


@pytest.mark.parametrize("slug", GAMES)
def test_no_file_outside_its_folders_names_a_game(slug):
    named = re.compile(rf"(?<![a-z]){slug.replace('-', '[-_]')}(?![a-z])", re.IGNORECASE)
    files = [str(path.relative_to(ROOT)) for path in _files() if named.search(_text(path))]
    assert files == []


def test_a_file_that_names_a_game_would_be_seen(tmp_path):
    path = tmp_path / "rogue.py"
    path.write_text('"""About basari."""\nGAME = "basari"  # basari\nf(examples=["basari"])\n')
    assert _text(path).count("basari") == 1
