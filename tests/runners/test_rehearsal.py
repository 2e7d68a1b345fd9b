"""What a template plays through before it is forked."""

import sys
from pathlib import Path

import pytest

import engine
from bots_sdk import bot as sdk
from runners.inside_box.answering import answer, decoder
from runners.inside_box.bundle_rehearsal import rehearse_bundle
from runners.inside_box.main import MODULE, load
from runners.inside_box.rehearsal import PROGRAM, QUESTIONS, rehearse


@pytest.fixture(autouse=True)
def _own_module(monkeypatch):
    monkeypatch.delitem(sys.modules, MODULE, raising=False)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_of_the_rehearsal_is_answered_with_a_move(question):
    bot = load(PROGRAM, sdk)
    assert answer(bot, decoder(sdk.View)(question), PROGRAM).startswith('"move":')


def test_the_rehearsal_leaves_nothing_behind():
    before = set(sys.modules)
    rehearse(sdk, decoder(sdk.View))
    assert set(sys.modules) == before
    assert sdk.Bot._seed == ""


def test_the_rehearsal_of_a_bundle_leaves_nothing_behind(tmp_path):
    (tmp_path / "games.txt").write_text("basari\n")
    (tmp_path / "engine").symlink_to(Path(engine.__file__).parent)
    pytest.importorskip("numpy")
    before = list(sys.path), list(sys.path_hooks)
    rehearse_bundle(str(tmp_path), sdk)
    assert (list(sys.path), list(sys.path_hooks)) == before
    # What numpy itself imports may stay.
    assert not {MODULE, f"{MODULE}.seats", "seats"} & set(sys.modules)
    assert not [path for path in sys.path_importer_cache if path.startswith(str(tmp_path))]
    assert (sdk.Bot._seed, sdk.Bot._folder) == ("", None)
