"""The quickstart happens as it is printed, on every kind of machine an author may have."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from runners.box import landlock
from runners.box.select import SECOND_BEST
from tests.first_hour import author_machine
from tests.first_hour.console import COMMAND, PAGES, ROOT, Shell, blocks, mask, own_shell, run_page

PAGE = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")
REWRITE = "If that is right, run: python -m tests.first_hour.console"
IS_ROOT = os.geteuid() == 0


@pytest.fixture(scope="module")
def machine():
    """A folder for everybody, with an environment that holds the site's wheel."""
    python = author_machine.python_for_everybody()
    if python is None:
        pytest.skip("no Python of this version here can be run by every user")
    folder = Path(tempfile.mkdtemp(prefix="karat-author-"))
    folder.chmod(0o755)
    author_machine.install(folder / "venv", python)
    author_machine.link_programs(folder / "no-bwrap")
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("name", PAGES)
def test_every_command_of_a_page_prints_what_the_page_shows(name, tmp_path):
    check_page((ROOT / name).read_text(encoding="utf-8"), own_shell(tmp_path))


@pytest.mark.parametrize("whom", ["root", "plain"])
@pytest.mark.parametrize("walls", ["bubblewrap", "landlock"])
def test_the_site_s_wheel_prints_it_for_everybody_with_and_without_bubblewrap(machine, whom, walls):
    if whom == "root" and not IS_ROOT:
        pytest.skip("only root can be root")
    if walls == "landlock" and not landlock.version():
        pytest.skip("this kernel has no Landlock, so nothing can take bubblewrap's place")
    folder = machine / f"{whom} {walls}"
    folder.mkdir()
    identity = author_machine.PLAIN_USER if IS_ROOT and whom == "plain" else {}
    if identity:
        shutil.chown(folder, identity["user"], identity["group"])
    others = "/usr/bin:/bin" if walls == "bubblewrap" else str(machine / "no-bwrap")
    environment = {
        "PATH": f"{machine / 'venv' / 'bin'}{os.pathsep}{others}",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
    }
    advice = "" if walls == "bubblewrap" else SECOND_BEST
    check_page(PAGE, Shell(folder, environment, identity, advice))


def check_page(page, shell):
    for command, expected, printed in run_page(page, shell):
        assert mask(printed) == mask(expected), f"$ {command}\n{printed}\n{REWRITE}"


def test_the_page_shows_the_way_from_a_new_bot_to_its_upload():
    commands = [
        command.split()[:2]
        for language, text in blocks(PAGE)
        if language == "console"
        for command, _ in COMMAND.findall(text)
    ]
    used = [words[1] for words in commands if words[0] == "karat"]
    assert used == "new play watch watch duel arena check push".split()
    assert [language for language, _ in blocks(PAGE)].count("python") == 1
