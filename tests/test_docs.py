"""The documents keep their promises: commands run, links lead somewhere, nothing is left out."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from engine.registry import GAMES
from runners.faults import HARD, SOFT
from runners.limits import Limits

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "runners", "bots_sdk", "league")
GENERATED = {"deploy/karat.env"}
"""Files that pages name and that are not part of the project."""
MAX_MODULES = 20
"""In one folder."""
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("engine/games/*/RULES.md")])
TRACKED = subprocess.run(
    ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
    cwd=ROOT,
    capture_output=True,
    text=True,
    check=True,
).stdout.splitlines()


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_within_the_project_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_make_target_is_explained_to_contributors():
    targets = set(re.findall(r"^([a-z]+):.*##", text_of("Makefile"), re.MULTILINE))
    explained = set(re.findall(r"`make ([a-z]+)`", text_of("CONTRIBUTING.md")))
    assert targets - {"help"} == explained


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_path_that_a_page_names_is_there(page):
    text = page.read_text(encoding="utf-8")
    for path in re.findall(r"`((?:engine|runners|bots_sdk|league|tests|deploy)/[\w./-]*)`", text):
        assert (ROOT / path).exists() or path in GENERATED, path


def test_the_table_of_contents_lists_every_page():
    listed = set(
        re.findall(r"^- \[[^\]]+\]\(([\w-]+\.md)\): ", text_of("docs/README.md"), re.MULTILINE)
    )
    assert listed == {path.name for path in ROOT.glob("docs/*.md")} - {"README.md"}


def test_the_picture_of_the_readme_is_small():
    picture = re.search(r"!\[[^\]]+\]\(([^)]+)\)", text_of("README.md"))
    assert picture
    assert 0 < (ROOT / picture[1]).stat().st_size < 250_000


def test_no_folder_is_a_heap():
    for folder in {path.parent for part in PACKAGES for path in (ROOT / part).rglob("*.py")}:
        if folder.name not in {"commands", "migrations"}:
            assert len(list(folder.glob("*.py"))) <= MAX_MODULES, folder


def test_every_limit_is_in_the_operators_page_with_its_default():
    page = text_of("docs/sandbox.md")
    for shown in (
        "250 ms",
        "2 s",
        "20 s",
        "40 s",
        "1 s",
        "4 s",
        "60 s",
        "256 MiB",
        "64 KiB",
        "256 KiB",
    ):
        assert shown in page
    assert Limits() == Limits(250, 2000, 20000, 40000, 1000, 4000, 256, 64, 64, 256, 60000)


def test_every_fault_code_of_a_match_is_in_the_operators_page():
    page = text_of("docs/sandbox.md")
    for code in SOFT | HARD:
        assert code in page


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_rules_for_people_explain_every_decision_option_and_number_of_seats(game):
    page = text_of(Path(*game.package.split(".")) / "RULES.md")
    assert page.startswith(f"# {game.name}\n")
    for option in game.options_allowed:
        assert f"`{option}`" in page
    for move in MOVES[game.slug]:
        assert f"`{move}" in page, move


MOVES = {
    "edel-stein-reich": "money event gems free offer accept decline open hidden use swap score"
    " strip take trade pick".split(),
    "basari": "workers points gems free offer accept trade pick".split(),
    "edelsteinsuche": "normal unique draw hide show stop continue".split(),
}


def test_no_file_names_a_path_of_the_machine_it_was_written_on():
    home = re.compile(r"/(?:root|home|work)/")
    for name in TRACKED:
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".sh", ".txt", ".json", ""} and path.is_file():
            found = home.search(path.read_text(encoding="utf-8"))
            assert not found or name == "tests/test_docs.py", name


def test_the_locks_hold_versions_and_hashes_and_no_addresses():
    for lock in ROOT.glob("deploy/lock/*.txt"):
        text = lock.read_text(encoding="utf-8")
        assert "://" not in text
        assert "--index" not in text
        pinned = re.findall(r"^[\w.\[\]-]+==", text, re.MULTILINE)
        assert pinned
        assert text.count("--hash=sha256:") >= len(pinned)


def test_files_and_functions_stay_small():
    for name in TRACKED:
        if name.endswith((".py", ".js", ".css")) and (ROOT / name).is_file():
            assert len(text_of(name).splitlines()) <= 400, name


def test_the_version_is_in_the_changelog_or_not_released():
    version = tomllib.loads(text_of("pyproject.toml"))["project"]["version"]
    changelog = text_of("CHANGELOG.md")
    assert f"## {version}" in changelog or "## Unreleased" in changelog
