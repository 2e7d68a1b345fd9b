"""The authors' pages are true: their code runs, and what is generated is up to date.

`pytest --rewrite-golden` writes the generated parts anew; read the difference before you commit it.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bots_sdk.bot import Bot
from bots_sdk.testing import play_match
from engine.registry import GAMES
from runners.faults import CODES
from runners.match import play
from runners.players import RandomPlayer
from tests.bots_sdk.author_tests import run_pytest
from tests.bots_sdk.pages import DOCS, PAGES
from tests.bots_sdk.questions import asked_in
from tests.bots_sdk.test_bases import BASES

AUTHORS = ("writing-a-bot", "testing-your-bot", "searching", "limits", "record")
ROOT = DOCS.parent


def text_of(page):
    return (DOCS / f"{page}.md").read_text(encoding="utf-8")


def python_blocks(page):
    return re.findall(r"^```python\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)


def named_blocks(page):
    """The blocks that say which file they are, by its name."""
    found = ((re.match(r"# (\w+\.py)\n", block), block) for block in python_blocks(page))
    return {match[1]: block for match, block in found if match}


@pytest.mark.parametrize("name", PAGES)
def test_the_generated_parts_of_a_page_are_up_to_date(name, request):
    path = DOCS / name
    page = path.read_text(encoding="utf-8") if path.exists() else ""
    wanted = PAGES[name](page)
    if request.config.getoption("--rewrite-golden"):
        path.write_text(wanted, encoding="utf-8")
    assert page == wanted, f"run: pytest {Path(__file__).relative_to(ROOT)} --rewrite-golden"


@pytest.mark.parametrize("page", AUTHORS)
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    seats = [RandomPlayer(seat) for seat in "123"]
    record = play(GAMES["basari"], seats, "1", recorded=True).record
    Path("match.json").write_text(json.dumps(record))
    for block in python_blocks(page):
        if block not in named_blocks(page).values():
            names = {"__name__": "page"}
            exec(compile(block, page, "exec"), names)
            for bot in bots_in(names):
                for game in bot.games or GAMES:
                    play_match(bot, game)


def bots_in(names):
    mine = [one for one in names.values() if isinstance(one, type) and one.__module__ == "page"]
    return [one for one in mine if issubclass(one, Bot)]


def test_the_tests_on_the_page_about_testing_pass(tmp_path):
    for name, block in named_blocks("testing-your-bot").items():
        (tmp_path / name).write_text(block)
    told = run_pytest(tmp_path)
    assert "46 passed" in told, told


def test_the_code_of_all_pages_is_formatted(tmp_path):
    for page in AUTHORS:
        for number, block in enumerate(python_blocks(page)):
            (tmp_path / f"{page}-{number}.py").write_text(block)
    ruff = [Path(sys.executable).with_name("ruff"), "format", "--diff", "--no-cache"]
    config = ["--config", ROOT / "pyproject.toml"]
    done = subprocess.run([*ruff, *config, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("slug", GAMES)
def test_the_page_about_views_has_every_method_and_field(slug):
    page = text_of("views")
    game, base = GAMES[slug], BASES[slug]
    section = page.split(f"\n## {game.name}\n")[1].split("\n## ")[0]
    for decision, method in base.methods.items():
        told = section.split(f"### {game.name}: `{decision}`\n")[1].split("\n###")[0]
        assert f"`{method}`" in told
        assert json.loads(told.split("```json\n")[1].split("```")[0])["decision"] == decision
    assert base.__name__ in text_of("writing-a-bot")
    whole = json.loads(section.split("```json\n")[1].split("```")[0])
    table = section.split("```\n")[1].split("\n###")[0]
    for field in [*whole, *whole["seats"][0]]:
        assert f"`{field}`" in table, field


def tables_below(page, heading):
    """The rows of all tables of a section, as lists of cells."""
    section = page.split(f"\n{heading}\n")[1].split("\n##")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    return [row.strip("| ").split(" | ") for row in rows]


@pytest.mark.parametrize("slug", GAMES)
def test_the_page_about_views_has_every_move_with_an_example_from_a_match(slug):
    game = GAMES[slug]
    rows = tables_below(text_of("views"), f"### Moves of {game.name}")
    words = {word for row in rows for word in re.findall(r"`(\w+)`", row[0])}
    examples = {row[1].strip("`") for row in rows}
    legal, missing = set(), set(examples)
    for number in range(60):
        for _, options in asked_in(game, game.seats[number % len(game.seats)], f"moves {number}"):
            missing = {move for move in missing if move not in options}
            legal |= {options[at].split()[0] for at in range(min(len(options), 12))}
        if not missing:
            break
    assert not missing
    assert words == legal


def test_the_page_about_views_has_the_effect_of_every_event_card():
    catalogue = GAMES["edel-stein-reich"].catalogue
    kinds = {}
    for kind, cards, effect, example in tables_below(
        text_of("views"), "### Event cards of Edel, Stein & Reich"
    ):
        assert effect
        assert example
        numbers = [int(number) for number in re.findall(r"V(\d+)", cards)]
        if " to " in cards:
            numbers = range(numbers[0], numbers[1] + 1)
        kinds |= {f"V{number:02}": kind.strip("`") for number in numbers}
    assert kinds == {
        card: face["kind"] for card, face in catalogue.items() if face["type"] == "event"
    }


def test_the_page_about_errors_has_every_code_and_the_sections_they_speak_of():
    page = text_of("errors")
    for code, one in CODES.items():
        assert f"### {code} {one.title}\n" in page
    for section in re.findall(r'see "([^"]+)" in the docs', page):
        assert f"\n## {section}\n" in text_of("limits"), section


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests/golden").glob("*.json")), ids=lambda path: path.stem
)
def test_the_page_about_records_has_every_field_and_every_type_of_step(path):
    record = json.loads(path.read_text())
    page = text_of("record")
    common = page.split("\n## Edel, Stein & Reich\n")[0]
    name = GAMES[record["game"]].name.split(":")[0]
    section = page.split(f"\n## {name}\n")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \|(.*)\|$", section, re.MULTILINE))
    for field in [*record, *record["outcome"]]:
        assert f"`{field}`" in common, field
    for step in record["steps"]:
        for field in step:
            assert f"`{field}`" in common or f"`{field}`" in rows[step["t"]], (step["t"], field)
