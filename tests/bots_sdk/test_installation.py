"""The command that installs the SDK again names where it came from."""

import json
import sys

import pytest

from bots_sdk import installation

WHEEL = "https://league.example/sdk/karat_league-0.1.0-py3-none-any.whl"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Note an origin as pip does, in front of the real installation."""

    def installed(text):
        folder = tmp_path / "karat_league-0.1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: karat-league\nVersion: 0\n")
        if text is not None:
            (folder / "direct_url.json").write_text(text)
        monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    return installed


@pytest.mark.parametrize(
    ("extra", "command"),
    [
        ("", f'pip install "karat-league @ {WHEEL}"'),
        ("rl", f'pip install "karat-league[rl] @ {WHEEL}"'),
    ],
)
def test_what_came_from_a_league_comes_from_there_again(installed, extra, command):
    installed(json.dumps({"url": WHEEL, "archive_info": {"hash": "sha256=0"}}))
    assert installation.install_command(extra) == command


def test_in_a_clone_the_set_up_installs_everything(installed):
    installed(json.dumps({"url": "file:///somewhere", "dir_info": {"editable": True}}))
    assert installation.install_command("rl") == "make setup"


@pytest.mark.parametrize("text", [None, "", "[]", "{", '{"url": 7}'])
def test_without_a_known_origin_it_points_to_the_page_of_the_league(installed, text):
    installed(text)
    assert "/sdk/ of your league" in installation.install_command("rl")
