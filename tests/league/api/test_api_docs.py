"""The page about the API is true: every example on it is run in a league with real processes."""

import os
import sys
from pathlib import Path

import pytest

from tests import console_examples
from tests.league.home import ROOT, free_port

pytestmark = pytest.mark.stack

PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
EXAMPLE_SITE = "https://karat.example"
PATIENCE_SECONDS = 400


def test_every_example_of_the_page_prints_what_the_page_shows(home, tmp_path_factory):
    key = home.python(
        "from league.accounts.services import create_token\n"
        "user = factories.make_user('mira')\n"
        "tell(create_token(user, 'docs', ['read', 'upload'])[1])"
    )
    site = f"http://127.0.0.1:{(port := free_port())}"
    home.start("run", "--port", str(port), "--workers", "1")
    home.wait_for(f"{site}/api/v1/status")
    folder = tmp_path_factory.mktemp("author")
    for name, text in console_examples.files(PAGE).items():
        (folder / name).write_text(text, encoding="utf-8")
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = {"HOME": str(folder), "PATH": programs, "KARAT": site, "KEY": key, "LANG": "C.UTF-8"}
    session = console_examples.commands(PAGE)
    outputs = console_examples.run(session, folder, env, PATIENCE_SECONDS)
    assert len(session) > 20
    for command, output in zip(session, outputs, strict=True):
        said = output.replace(site, EXAMPLE_SITE)
        assert console_examples.is_as_shown(said, command.output), f"{command.text}\n{said}"


def test_every_block_of_the_page_is_a_file_or_a_session():
    blocks = console_examples._BLOCK.findall(PAGE)
    assert {kind for kind, _ in blocks} == {"python", "console"}
    assert len(console_examples.files(PAGE)) == sum(kind == "python" for kind, _ in blocks)
