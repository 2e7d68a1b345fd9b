"""An author's evening with a bot of several files: every command takes its folder and its zip."""

import json
import os

import numpy as np
import pytest

from engine.registry import GAMES
from tests import console_examples
from tests.bots_sdk.test_cli import ROOT, karat
from tests.runners.bundles.local_bundles import HEAD, bot, write

FAILING = bot("from parts.deep import fail", "return fail(options)")
STUCK = """
def think():
    while True:
        try:
            x = 0
            while True: x += 1
        except BaseException: pass
"""
DEBUGGER = """
import sys, pathlib

def stop():
    print("at", pathlib.Path(sys._getframe(1).f_code.co_filename).read_text())
"""
DEEP = "def fail(options):\n    raise LookupError('deep')\n"


def run(*arguments, cwd, expected=0, **environment):
    done = karat(*arguments, cwd=cwd, environment=environment)
    assert done.returncode == expected, done.stdout + done.stderr
    return done


def placements(arguments, folder):
    return json.loads(run(*arguments.split(), "--json", cwd=folder).stdout)["placements"]


@pytest.mark.parametrize("slug", GAMES)
def test_a_new_bundle_passes_its_check_plays_and_is_packed(slug, tmp_path):
    made = run("new", "quick_shark", "--bundle", "--game", slug, cwd=tmp_path)
    assert made.stdout == (
        "Created quick_shark with bot.py, preferences.py, preferences.json, README.md. "
        "It already plays, by its data file.\nNext:  karat play quick_shark\n"
    )
    folder = tmp_path / "quick_shark"
    assert "class QuickShark(Bot)" in (folder / "bot.py").read_text(encoding="utf-8")
    assert len(json.loads((folder / "preferences.json").read_text(encoding="utf-8"))) > 3
    checked = run("check", "quick_shark", cwd=tmp_path)
    assert checked.stdout.endswith("Ready to upload:  karat push quick_shark\n")
    played = run("play", "quick_shark", "--seed", 7, cwd=tmp_path)
    assert (played.stderr, "No faults." in played.stdout) == ("", True)
    assert (tmp_path / "quick_shark-7.json").is_file()
    assert karat("watch", "quick_shark-7.json", "--text", cwd=tmp_path).stdout


def test_the_session_about_bundles_is_as_the_docs_show_it(tmp_path):
    page = (ROOT / "docs" / "writing-a-bot.md").read_text(encoding="utf-8")
    session = console_examples.commands(page)
    assert len(session) == 2
    for command in session:
        name, *arguments = command.text.split()
        assert name == "karat"
        assert run(*arguments, cwd=tmp_path).stdout.strip() == command.output


def test_the_bot_of_the_docs_maps_its_weights(tmp_path):
    page = (ROOT / "docs" / "writing-a-bot.md").read_text(encoding="utf-8")
    write(tmp_path / "my_bot", console_examples.files(page))
    (tmp_path / "my_bot" / "weights").mkdir()
    np.save(tmp_path / "my_bot" / "weights" / "layer1.npy", np.ones((4, 4), np.float32))
    for how in ((), ("--boxed",)):
        assert "No faults." in run("play", "my_bot", *how, cwd=tmp_path).stdout


def test_the_whole_evening(tmp_path):
    run("new", "shark", "--bundle", "--game", "basari", cwd=tmp_path)
    arena = "arena basari --bots shark,greedy,random --games 6 --seed 3 --jobs"
    tables = [
        json.loads(run(*arena.split(), jobs, "--json", cwd=tmp_path).stdout)["ranking"]
        for jobs in (1, 2)
    ]
    assert [[row["bot"], row["mu"]] for row in tables[0]] == [
        [row["bot"], row["mu"]] for row in tables[1]
    ]
    run("pack", "shark", cwd=tmp_path)
    checked = run("check", "shark.zip", cwd=tmp_path)
    assert checked.stdout.endswith("Ready to upload:  karat push shark.zip\n")
    ways = [
        placements(f"play basari --bots {bot},greedy,random --games 3 --seed 3 {how}", tmp_path)
        for bot, how in [
            *(("shark", ""), ("shark", "--boxed --jobs 2"), ("shark/", "--jobs 2")),
            *(("shark.zip", ""), ("shark.zip", "--boxed")),
        ]
    ]
    assert all(way == ways[0] for way in ways)
    duel = run(*"duel shark shark.zip --deals 20 --seed 3 --json".split(), cwd=tmp_path)
    assert json.loads(duel.stdout)["same"] == 20


def test_a_zip_is_unpacked_to_a_private_folder_that_goes_with_the_command(tmp_path):
    folder = write(
        tmp_path / "nosy",
        {"bot.py": bot("import os", "print(self.data_path, oct(os.stat(self.data_path).st_mode))")},
    )
    run("pack", folder, cwd=tmp_path)
    home = tmp_path / "temporary"
    home.mkdir()
    for jobs in (1, 2):
        arguments = ("play", "basari", "--bots", "nosy.zip,random,random", "--games", 2)
        shown = run(*arguments, "--jobs", jobs, cwd=tmp_path, expected=1, TMPDIR=str(home)).stderr
        assert f"{home}/karat-bundle-" in shown
        assert "0o40700" in shown
        assert not list(home.iterdir())


def test_a_fault_is_shown_with_the_file_it_happened_in(tmp_path):
    write(tmp_path / "failing", {"bot.py": FAILING, "parts/deep.py": DEEP})
    shown = {}
    for how in ("", "--boxed"):
        arguments = ("play", "failing", "--seed", 7, *how.split())
        shown[how] = run(*arguments, cwd=tmp_path, expected=1).stdout
        assert '  File "failing/bot.py", line 6, in decide\n' in shown[how]
        assert (
            '  File "failing/parts/deep.py", line 2, in fail\n'
            "    raise LookupError('deep')\nLookupError: deep\n"
        ) in shown[how]
        assert "Reproduce it:  karat rerun failing-7.json --step" in shown[how]
    assert [line for line in shown[""].splitlines() if line.startswith("E303")]
    step = shown[""].partition("--step ")[2].partition(" ")[0]
    again = run("rerun", "failing-7.json", "--step", step, "failing", cwd=tmp_path, expected=1)
    assert '  File "failing/parts/deep.py", line 2, in fail\n' in again.stdout


def test_a_module_of_a_bundle_that_never_answers_is_named(tmp_path):
    write(tmp_path / "stuck", {"bot.py": bot("import brain", "brain.think()"), "brain.py": STUCK})
    run("pack", "stuck", cwd=tmp_path)
    home = tmp_path / "temporary"
    home.mkdir()
    shown = run("play", "stuck.zip", cwd=tmp_path, expected=1, TMPDIR=str(home))
    assert "stuck.zip/brain.py, line 6, in think: `while True: x += 1`" in shown.stderr
    assert not list(home.iterdir())


def test_the_authors_debugger_stops_where_the_file_lies(tmp_path):
    entry = bot("import deep", "deep.stop()")
    write(tmp_path / "mine", {"bot.py": entry, "deep.py": "def stop():\n    breakpoint()\n"})
    write(tmp_path / "hooks", {"my_debugger.py": DEBUGGER})
    debugger = {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path / "hooks")]),
        "PYTHONBREAKPOINT": "my_debugger.stop",
    }
    shown = run("play", "mine", cwd=tmp_path, expected=1, **debugger)
    assert "at def stop():" in shown.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("play shrk/", "There is no file shrk. Did you mean shark?"),
        ("play nothing.zip", "There is no file nothing.zip."),
        ("new shark.py --bundle", "shark.py is not the name of a folder; leave out .py."),
        ("new shark --bundle", "shark already exists; choose another name."),
        ("new other", "or add --bundle for a folder with several files."),
    ],
)
def test_a_wrong_name_is_refused_with_one_sentence(
    arguments, sentence, tmp_path, monkeypatch, refused
):
    write(tmp_path / "shark", {"bot.py": HEAD})
    monkeypatch.chdir(tmp_path)
    assert refused(arguments).endswith(f"{sentence}\n")


def test_a_zip_that_is_none_is_refused_with_what_to_do(tmp_path):
    for content in ("PK\x03\x04 and nothing more", "no zip"):
        (tmp_path / "broken.zip").write_text(content, encoding="utf-8")
        done = karat("play", "broken.zip", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("E109 The bundle cannot be used\n")
        checked = run("check", "broken.zip", cwd=tmp_path, expected=1)
        assert checked.stdout.startswith("no  1 E109 The bundle cannot be used\n")


def test_a_folder_called_like_a_game_or_a_bot_is_meant_by_its_path(tmp_path):
    for name in ("basari", "greedy"):
        write(tmp_path / name, {"bot.py": bot("return options[0]")})
    shown = run("play", "basari", "--bots", "greedy,./greedy,basari/", "--json", cwd=tmp_path)
    assert json.loads(shown.stdout)["seats"] == 3
    assert "basari vs greedy" in run("play", "basari/", "--seed", 1, cwd=tmp_path).stdout
