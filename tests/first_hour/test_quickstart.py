"""The pages happen as they are printed, on every kind of machine an author may have."""

import os

import pytest

from runners.box.kernel import landlock
from tests.first_hour import author_machine
from tests.first_hour.console import COMMAND, PAGES, ROOT, blocks, mask, run_page

QUICKSTART = "docs/quickstart.md"
PAGE = (ROOT / QUICKSTART).read_text(encoding="utf-8")
REWRITE = "If that is right, run: python -m tests.first_hour"
IS_ROOT = os.geteuid() == 0


@pytest.fixture(scope="module")
def machine():
    """A machine with an environment that holds the site's wheel."""
    python = author_machine.python_for_everybody()
    if python is None:
        pytest.skip("no Python of this version here can be run by every user")
    with author_machine.machine(python) as machine:
        yield machine


@pytest.mark.parametrize("name", [page for page in PAGES if page != QUICKSTART])
def test_every_command_of_a_page_prints_what_the_page_shows(name, machine):
    shell = machine.shell(machine.folder / name)
    check_page((ROOT / name).read_text(encoding="utf-8"), shell)


@pytest.mark.parametrize("whom", ["root", "plain"])
@pytest.mark.parametrize("sandbox", ["auto", "landlock"])
def test_the_quickstart_is_the_same_for_everybody_whatever_boxes_are_made_of(
    machine, whom, sandbox
):
    if whom == "root" and not IS_ROOT:
        pytest.skip("only root can be root")
    if sandbox == "landlock" and not landlock.version():
        pytest.skip("this kernel has no Landlock, so nothing can take the place of namespaces")
    shell = machine.shell(
        machine.folder / f"{whom} {sandbox}",
        sandbox=sandbox,
        plain_user=IS_ROOT and whom == "plain",
    )
    check_page(PAGE, shell)


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
