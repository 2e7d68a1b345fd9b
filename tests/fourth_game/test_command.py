"""A game from outside in the authors' hands: conformance, the `karat` command, PettingZoo."""

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests import programs

ROOT = Path(__file__).parents[2]
KARAT = Path(sys.executable).with_name("karat")
SEATS = range(2, 8)


@pytest.fixture(scope="module")
def run(environment, tmp_path_factory):
    folder = tmp_path_factory.mktemp("author")

    def run_in_folder(*command, cwd=folder, expected=0):
        done = subprocess.run(
            [str(word) for word in command],
            check=False,
            env=environment,
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=180,
        )
        assert done.returncode == expected, done.stdout + done.stderr
        return done.stdout

    run_in_folder.folder = folder
    return run_in_folder


def test_it_passes_the_conformance_tests_of_the_engine(run):
    told = run(
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
        *("tests/engine/test_conformance.py", "-k", "tidepool"),
        cwd=ROOT,
    )
    assert int(re.search(r"(\d+) passed", told)[1]) >= 6 * len(SEATS)


def test_it_passes_the_conformance_kit(run):
    program = (
        "from bots_sdk.conformance import check_game; from tidepool import GAME; check_game(GAME)"
    )
    run(sys.executable, "-c", program)


def test_a_new_bot_is_checked_plays_in_a_box_and_its_records_verify(run):
    run(KARAT, "new", "shark.py", "--game", "tidepool")
    assert "class Shark(TidepoolBot)" in (run.folder / "shark.py").read_text()
    assert "Ready to upload" in run(KARAT, "check", "shark.py")
    for seats in SEATS:
        bots = ",".join(["shark.py", "greedy", *["random"] * (seats - 2)])
        played = run(
            *(KARAT, "play", "tidepool", "--bots", bots, "--seed", "7", "--games", 3),
            *("--record", f"{seats}.jsonl", *(["--boxed"] if seats == 3 else [])),
        )
        assert f"Tidepool, {seats} seats" in played
        assert "3 of 3" in run(KARAT, "verify", f"{seats}.jsonl")


def test_one_match_is_told_with_its_milestones(run):
    told = run(KARAT, "play", "tidepool", "--bots", "greedy,random", "--seed", "3")
    assert re.search(r"pearls", told)


def test_the_arena_ranks_its_bots(run):
    told = run(
        KARAT, "arena", "tidepool", "--bots", "greedy,random,fallback", "--games", 30, "--json"
    )
    assert {row["bot"] for row in json.loads(told)["ranking"]} == {"greedy", "random", "fallback"}


def test_a_file_from_another_game_is_refused_with_its_name(run):
    run(KARAT, "new", "other.py", "--game", "tidepool")
    told = run(KARAT, "play", "basari", "--bots", "other.py,random,random", expected=2)
    assert told == ""


def test_the_viewer_serves_its_table(run, environment):
    run(KARAT, "play", "tidepool", "--bots", "random", "--seats", 4, "--record", "watched.jsonl")
    process = programs.start(
        [str(KARAT), "watch", "watched.jsonl", "--no-browser"],
        env=environment,
        cwd=run.folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        address = re.search(r"http://\S+", process.stdout.readline())[0]
        with urlopen(address) as page:
            html = page.read().decode()
        with urlopen(f"{address}games/tidepool/viewer.js") as script:
            assert b'register("tidepool"' in script.read()
    finally:
        programs.end(process)
        process.stdout.close()
    assert "Tidepool, 4 seats" in html
    assert "Tide 8" in html
    assert "large shell" in html


def test_it_is_a_pettingzoo_environment(run):
    program = """
import warnings
from pettingzoo.test import api_test, seed_test
from bots_sdk.rl import env
warnings.simplefilter("ignore")
for seats in (2, 7):
    api_test(env("tidepool", seats), num_cycles=60)
    seed_test(lambda: env("tidepool", seats), num_cycles=30)
"""
    run(sys.executable, "-c", program)
