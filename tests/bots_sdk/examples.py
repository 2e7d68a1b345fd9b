"""Every bot that authors are shown: in the documents, as a starter, and at home with us."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from bots_sdk import house, starters
from engine.registry import GAMES

ROOT = Path(__file__).parents[2]
MISTAKES = ROOT / "docs" / "errors.md"
"""Shows bots that are wrong on purpose."""
PAGES = [ROOT / "README.md", *sorted({*(ROOT / "docs").glob("*.md")} - {MISTAKES})]
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (\w+\.py)\n")
_COMMENTED_CODE = re.compile(r"^(\s*)# (?!Idea \d)", re.MULTILINE)


def python_blocks(page: Path) -> list[str]:
    """Return the Python of a page, block by block."""
    return _BLOCK.findall(page.read_text(encoding="utf-8"))


def documented_bots() -> Iterator[tuple[str, str]]:
    """Yield every block of every page that holds a bot, with a name for its file."""
    for page in PAGES:
        for number, block in enumerate(python_blocks(page), 1):
            if holds_a_bot(block):
                named = _FILE.match(block)
                yield named[1] if named else f"{_identifier(page.stem)}_{number}.py", block


def documented_snippets() -> Iterator[tuple[str, str]]:
    """Yield the other blocks of the pages about bots that a reader may paste into a file."""
    for page in PAGES:
        if page.stem in {"writing-a-bot", "searching"}:
            for number, block in enumerate(python_blocks(page), 1):
                if not holds_a_bot(block):
                    yield f"{_identifier(page.stem)}_{number}.py", block


def starter_bots() -> Iterator[tuple[str, str]]:
    """Yield what `karat new` writes for each game, as it is and with its ideas uncommented."""
    for slug in GAMES:
        text = starters.starter(slug)
        yield f"starter_{_identifier(slug)}.py", text
        yield f"ideas_{_identifier(slug)}.py", _COMMENTED_CODE.sub(r"\1", text)
    yield "starter_plain.py", starters.plain("pebbles", "Pebbles")


def house_bots() -> Iterator[tuple[str, str]]:
    """Yield the house bots of all games."""
    for slug in GAMES:
        for name in house.names(slug):
            yield f"house_{_identifier(slug)}_{name}.py", house.source(slug, name)


def holds_a_bot(code: str) -> bool:
    """Tell whether a class of this code inherits from a bot."""
    bases = [base for node in ast.walk(ast.parse(code)) for base in getattr(node, "bases", ())]
    return any(isinstance(base, ast.Name) and base.id.endswith("Bot") for base in bases)


def _identifier(name: str) -> str:
    return name.replace("-", "_").lower()
