"""The table of a game from outside on one screen: up to seven seats, with no stage of its own."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests import programs
from tests.browser.conftest import chromium, window
from tests.browser.fitting import SIZES, problems
from tests.full import combinations

__all__ = ["chromium", "window"]

KARAT = Path(sys.executable).with_name("karat")
SEATS = range(2, 8)
CASES = [
    pytest.param(seats, size, id=f"{seats}-{size[0]}x{size[1]}")
    for size, seats in combinations(SIZES, SEATS)
]


@pytest.fixture(scope="module")
def address(environment, tmp_path_factory):
    """Where `karat watch` serves a match with every number of seats, the smallest first."""
    folder = tmp_path_factory.mktemp("tidepool")
    for seats in SEATS:
        options = ("--seats", str(seats), "--seed", "3", "--record", f"{seats}.jsonl")
        subprocess.run(
            [KARAT, "play", "tidepool", "--bots", "random", *options],
            check=True,
            env=environment,
            cwd=folder,
            capture_output=True,
        )
    records = [(folder / f"{seats}.jsonl").read_text(encoding="utf-8") for seats in SEATS]
    (folder / "matches.jsonl").write_text("".join(records), encoding="utf-8")
    process = programs.start(
        [str(KARAT), "watch", "matches.jsonl", "--no-browser"],
        env=environment,
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield re.search(r"http://[^/\s]+", process.stdout.readline())[0]
    finally:
        programs.end(process)
        process.stdout.close()


@pytest.mark.parametrize(("seats", "size"), CASES)
def test_all_seats_are_in_sight_at_every_step(window, address, seats, size):
    window.goto(f"{address}/?match={seats - 1}")
    window.wait_for_selector(".kv-ready")
    assert window.locator(".kv-panel").count() == seats
    assert problems(window, size) == []


def test_seats_f_and_g_have_keys_letters_and_dashes_of_their_own(window, address):
    window.goto(f"{address}/?match=6&step=4")
    window.wait_for_selector(".kv-ready")
    lines = window.locator(".kv-plot").first.locator(".kv-line")
    dashes = lines.evaluate_all("all => all.map((line) => getComputedStyle(line).strokeDasharray)")
    assert len(set(dashes)) == 7
    letters = window.locator(".kv-figure").first.locator(".kv-letter").all_text_contents()
    assert sorted(letters) == list("ABCDEFG")
    window.locator(".kv-table").focus()
    for key, seat in (("6", "F"), ("7", "G")):
        window.keyboard.press(key)
        expect(window.locator(".kv-view")).to_have_value(seat)
