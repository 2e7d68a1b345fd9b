"""What `karat` says about itself: help, version, suggestions and completion in shells."""

import os
import platform
import shutil
import subprocess

import pytest

from tests.bots_sdk.test_cli import KARAT, ROOT, karat


def test_karat_alone_shows_the_help_as_a_result():
    alone = karat()
    assert (alone.returncode, alone.stderr) == (0, "")
    assert alone.stdout == karat("--help").stdout
    assert "Commands:\n  new " in alone.stdout
    assert alone.stdout.endswith("Next: karat new my_bot.py\n")


def test_no_summary_of_a_command_is_cut():
    shown = karat(environment={"COLUMNS": "80"}).stdout
    summaries = shown.partition("Commands:\n")[2].splitlines()[:15]
    assert all(line.endswith(".") and not line.endswith("...") for line in summaries), summaries


def test_the_version_names_what_it_runs_on():
    shown = karat("--version")
    assert shown.returncode == 0
    python = platform.python_version()
    assert shown.stdout == f"karat 0.1.0 (Python {python}, Linux {platform.machine()})\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("plya basari", "No such command 'plya'. Did you mean 'play'?"),
        ("play basari --sead 7", "No such option: --sead. Did you mean --seed?"),
        ("play basarri --bots random", "edelsteinsuche. Did you mean basari?"),
        ("play basari --bots Gredy,random", "a folder or a .zip. Did you mean greedy?"),
        ("duel greedy gredy", "a folder or a .zip. Did you mean greedy?"),
        ("new x.py --game basar", "edelsteinsuche. Did you mean basari?"),
        ("play", "Missing argument 'GAME|FILE'; see karat --help."),
        ("zzzzzz", "No such command 'zzzzzz'; see karat --help."),
    ],
)
def test_a_mistyped_word_is_answered_with_the_nearest(arguments, sentence, refused):
    assert refused(arguments).endswith(f"{sentence}\n")


def test_a_mistyped_file_is_answered_with_the_nearest(tmp_path, monkeypatch, refused):
    (tmp_path / "my_bot.py").touch()
    monkeypatch.chdir(tmp_path)
    assert refused("play my_bt.py") == "There is no file my_bt.py. Did you mean my_bot.py?\n"


@pytest.fixture
def complete(tmp_path):
    """Ask for completions in a folder with some files, as the script of a shell does."""
    (tmp_path / "sub").mkdir()
    for name in ("my_bot.py", "x.json", "x.txt", "sub/old.py", "packed.zip"):
        (tmp_path / name).touch()

    def complete(shell, line):
        environment = {
            "_KARAT_COMPLETE": f"complete_{shell}",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(line.split()) - 1),
            "_TYPER_COMPLETE_ARGS": line,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        }
        return karat(cwd=tmp_path, environment=environment).stdout

    return complete


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("karat ar", ["arena"]),
        ("karat play bas", ["basari"]),
        ("karat play my_", ["my_bot.py"]),
        ("karat play basari --bots my_bot.py,gr", ["my_bot.py,greedy"]),
        ("karat duel sub/o", ["sub/old.py"]),
        ("karat duel my_bot.py random --game edels", ["edelsteinsuche"]),
        ("karat watch x", ["x.json"]),
        ("karat check m", ["my_bot.py"]),
        ("karat push p", ["packed.zip"]),
        ("karat play basari --bots random,su", ["random,sub/"]),
        ("karat pack s", ["sub/"]),
        ("karat pack m", []),
        ("karat play --se", ["--seats", "--seed"]),
    ],
)
def test_commands_games_bots_and_files_are_completed(line, completed, complete):
    assert complete("bash", line).split() == completed


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_answered_in_their_own_form(shell, complete):
    assert "random,greedy" in complete(shell, "karat play basari --bots random,gr")


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_the_printed_script_completes_in_a_real_bash(tmp_path):
    (tmp_path / "karat").write_text(
        f"#!/bin/sh\nexec '{KARAT[0]}' -c 'from bots_sdk.cli import main; main()' \"$@\"\n"
    )
    (tmp_path / "karat").chmod(0o755)
    program = (
        'eval "$(karat --show-completion)"\n'
        "COMP_WORDS=(karat play edel-s); COMP_CWORD=2; _karat_completion karat\n"
        'echo "${COMPREPLY[@]}"\n'
    )
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    shown = subprocess.run(
        ["bash", "-c", program],
        env={"PATH": path, "PYTHONPATH": str(ROOT), "SHELL": "/bin/bash"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout == "edel-stein-reich\n"
