"""The `karat` command as people and programs use it: run for real, in a process of its own."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import sleep

import pytest

from bots_sdk.cli.reference import PAGE, page
from tests import programs
from tests.engine.tables import every_table

ROOT = Path(__file__).parents[2]
KARAT = [sys.executable, "-c", "from bots_sdk.cli import main; main()"]


def karat(*arguments, cwd=None, environment=None):
    command = [*KARAT, *map(str, arguments)]
    return subprocess.run(
        command,
        cwd=cwd or ROOT,
        env={"PYTHONPATH": str(ROOT), **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@every_table
def test_matches_are_played_recorded_and_verified(game, seats, tmp_path):
    path = tmp_path / "out.jsonl"
    played = karat(
        "play",
        game.slug,
        "--bots",
        "random",
        "--seats",
        seats,
        "--games",
        3,
        "--seed",
        "7",
        "--record",
        path,
        "--json",
    )
    assert played.returncode == 0, played.stderr
    summary = json.loads(played.stdout)
    assert summary["game"] == game.slug
    assert summary["seats"] == seats
    assert summary["matches"] == 3
    assert summary["decisions"] > 3 * seats
    assert summary["cpu_seconds"] > 0
    assert len(summary["placements"]) == seats
    assert all(sum(counts) == 3 and len(counts) == seats for counts in summary["placements"])
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [record["seed"] for record in records] == ["7-1", "7-2", "7-3"]
    verified = karat("verify", path)
    assert verified.returncode == 0
    assert verified.stdout == f"3 of 3 records are correct.\nWatch them:  karat watch {path}\n"


def test_the_same_seed_gives_the_same_matches(tmp_path):
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    for path in (first, second):
        karat("play", "basari", "--bots", "random,fallback,random", "--seed", "x", "--record", path)
    digests = [json.loads(path.read_text(encoding="utf-8"))["digest"] for path in (first, second)]
    assert digests[0] == digests[1]


def test_without_a_seed_one_is_drawn_and_shown():
    shown = {
        karat("play", "basari", "--bots", "fallback", "--seats", 3).stdout.splitlines()[0]
        for _ in range(2)
    }
    assert len(shown) == 2
    assert all(line.startswith("Basari: the card game, 3 seats, seed ") for line in shown)


def test_the_result_is_a_table_for_people():
    lines = karat(
        "play", "edelsteinsuche", "--bots", "random,fallback", "--games", 5, "--seed", 1
    ).stdout.splitlines()
    assert lines[0] == "Edelsteinsuche, 2 seats, seed 1"
    assert lines[1].split() == ["seat", "bot", "1st", "2nd", "mean", "score"]
    assert lines[2].split()[:2] == ["A", "random"]
    assert lines[3].split()[:2] == ["B", "fallback"]
    assert lines[4].startswith("5 matches, ")


def test_an_option_of_the_game_is_in_force(tmp_path):
    path = tmp_path / "out.jsonl"
    karat(
        "play",
        "edel-stein-reich",
        "--bots",
        "random",
        "--seats",
        3,
        "--record",
        path,
        "--option",
        "max_offers=3",
        "--option",
        "majority_bonus=flat7",
    )
    options = json.loads(path.read_text(encoding="utf-8"))["options"]
    assert options["max_offers"] == 3
    assert options["majority_bonus"] == "flat7"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("play chess --bots random --seats 3", "There is no game 'chess'; there are"),
        ("play basari --bots random", "is played by 3, 4 or 5 seats, not 1."),
        ("play basari --bots random --seats 6", "is played by 3, 4 or 5 seats, not 6."),
        ("play basari --bots random,random --seats 3", "2 bots are named for 3 seats"),
        ("play basari --bots random,random,random --seats 4", "3 bots are named for 4 seats"),
        ("play basari --bots random --seats -2", "is played by 3, 4 or 5 seats, not -2."),
        ("play basari --bots random --seats 999999999", "seats, not 999999999."),
        ("play basari --bots nobody --seats 3", "There is no bot 'nobody'; there are random"),
        ("play basari --bots , --seats 3", "There is no bot ''"),
        ("play basari --bots random --seats 3 --games 0", "Invalid value for '--games'"),
        ("play basari --bots random --seats x", "Invalid value for '--seats'"),
        ("play basari --bots random --seats 3 --option speed=9", "has no option 'speed'"),
        ("play basari --bots random --seats 3 --option max_offers=0", "max_offers cannot be 0"),
        ("play basari --bots random --seats 3 --option max_offers", "write it as name=value"),
        ("play basari --bots random --seats 3 --record /no/such/folder/x", "cannot be written"),
        ("play basari", "Missing option '--bots'"),
        ("play", "Missing argument 'GAME|FILE'"),
        ("play basari --bots random --seats 3 --turbo", "No such option: --turbo"),
        ("dance", "No such command 'dance'"),
        ("verify", "Missing argument 'files'"),
        ("verify nowhere.jsonl", "There is no file nowhere.jsonl."),
    ],
)
def test_a_wrong_call_gets_one_sentence_and_exit_status_2(refused, arguments, sentence):
    assert sentence in refused(arguments)


def test_a_program_sees_the_exit_status_of_a_wrong_call():
    called = karat("play", "chess", "--bots", "random")
    assert called.returncode == 2
    assert called.stdout == ""
    assert called.stderr.startswith("There is no game 'chess'")


@pytest.fixture
def two_records(tmp_path):
    path = tmp_path / "two.jsonl"
    karat("play", "basari", "--bots", "random", "--seats", 3, "--games", 2, "--record", path)
    return path


def test_a_record_that_is_not_true_is_named_with_its_step(two_records):
    first, second = two_records.read_text(encoding="utf-8").splitlines()
    changed = json.loads(second)
    changed["steps"][2]["cards"][0] = "B99"
    two_records.write_text(f"{first}\n\n{json.dumps(changed)}\n", encoding="utf-8")
    verified = karat("verify", two_records)
    assert verified.returncode == 1
    problem, summary = verified.stdout.splitlines()
    assert problem.startswith(f"{two_records}:3, steps[2].cards: recorded ['B99', ")
    assert summary == "1 of 2 records are correct."
    as_json = json.loads(karat("verify", two_records, "--json").stdout)
    assert as_json["records"] == 2
    assert [wrong["place"] for wrong in as_json["wrong"]] == ["steps[2].cards"]


def test_a_single_json_file_is_one_record(two_records):
    single = two_records.with_suffix(".json")
    record = json.loads(two_records.read_text(encoding="utf-8").splitlines()[0])
    single.write_text(json.dumps(record, indent=2), encoding="utf-8")
    assert karat("verify", single).stdout.startswith("1 of 1 records are correct.\nWatch it:")


@pytest.mark.parametrize("damage", [b"", b"\x00\xff", b'{"schema": 1', b"[" * 50_000])
def test_a_damaged_file_is_no_not_a_crash(tmp_path, damage):
    path = tmp_path / "damaged.json"
    path.write_bytes(damage)
    verified = karat("verify", path)
    assert verified.returncode == 1
    assert verified.stderr == ""
    assert "0 of 1 records are correct." in verified.stdout


def living(group):
    """The processes of a group; one that has ended and was not fetched yet does not count."""
    found = []
    for path in Path("/proc").glob("[1-9]*/stat"):
        with suppress(OSError):
            state, _, pgrp = path.read_text().rpartition(")")[2].split()[:3]
            if pgrp == str(group) and state != "Z":
                found.append(path)
    return found


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_with_what_was_finished_so_far(tmp_path, jobs):
    path = tmp_path / "out.jsonl"
    command = ["play", "edel-stein-reich", "--bots", "random", "--seats", "3", "--json"]
    with programs.running(
        [*KARAT, *command, "--games", "100000", "--record", str(path), "--jobs", str(jobs)],
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        while not path.exists() or path.stat().st_size < 100_000:
            assert running.poll() is None
            sleep(0.05)
        # As a terminal does it: every process of the group hears of it.
        os.killpg(running.pid, signal.SIGINT)
        output, errors = running.communicate(timeout=60)
        assert running.returncode == 0
        while living(running.pid):
            sleep(0.05)
    matches = json.loads(output)["matches"]
    assert errors == f"Stopped after {matches:,} of 100,000 matches.\n"
    assert len(path.read_text(encoding="utf-8").splitlines()) == matches
    assert karat("verify", path).returncode == 0


def test_every_command_has_help_with_an_example():
    commands = page().split("\n## karat ")[1:]
    assert len(commands) == 15
    for told in commands:
        assert f"Example: karat {told.split()[0]}" in told
        assert "--help" in told
    shown = karat("play", "--help")
    assert shown.returncode == 0
    assert "Example: karat play" in shown.stdout


def test_the_page_of_commands_is_what_the_commands_say():
    assert PAGE.read_text(encoding="utf-8") == page(), (
        "run: .venv/bin/python -m bots_sdk.cli.reference"
    )
