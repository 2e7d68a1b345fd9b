"""The invariants of ARCHITECTURE.md that can be read off the source."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ENGINE = sorted((ROOT / "engine").rglob("*.py"))
FORBIDDEN = {"os", "io", "time", "datetime", "socket", "pathlib", "open"}


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_of_the_engine_names_a_clock_a_file_or_a_socket(path):
    named = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name):
            named.add(node.id)
        elif isinstance(node, ast.Import):
            named |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            named |= {(node.module or "").split(".")[0], *(alias.name for alias in node.names)}
    assert not named & FORBIDDEN


def test_the_offers_that_also_run_in_a_box_import_nothing_of_ours():
    source = (ROOT / "engine" / "barter" / "offers.py").read_text(encoding="utf-8")
    assert not re.search(r"^(from|import) (engine|runners|bots_sdk)", source, re.MULTILINE)
    assert not re.search(r"^(from|import) (typing|collections|re|random)\b", source, re.MULTILINE)
