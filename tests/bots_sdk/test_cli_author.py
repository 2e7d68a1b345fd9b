"""An author's evening with `karat`: new, play, watch, arena, duel, rerun."""

import json
import re
import signal
import subprocess
from urllib.request import urlopen

import pytest

from bots_sdk.starters import starter
from bots_sdk.testing import play_match
from engine.registry import GAMES
from runners.local import load
from tests import programs
from tests.bots_sdk.test_cli import KARAT, ROOT, karat

RAISING = """
from bots_sdk import Bot

class Raising(Bot):
    asked = 0

    def decide(self, view, options):
        self.asked += 1
        if self.asked == 3:
            raise LookupError(f"asked {self.asked} times")
        return options[0]
"""
ENDING = """
import os
from bots_sdk import Bot

class Ending(Bot):
    def decide(self, view, options):
        os._exit(3)
"""


@pytest.fixture
def folder(tmp_path):
    for name, source in (("raising", RAISING), ("ending", ENDING)):
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("slug", GAMES)
def test_a_new_bot_plays_at_once(slug, tmp_path):
    made = karat("new", "quick_shark.py", "--game", slug, cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    source = (tmp_path / "quick_shark.py").read_text(encoding="utf-8")
    assert "class QuickShark(" in source
    assert "MyBot" not in source
    assert made.stdout == (
        f"Created quick_shark.py ({len(source.splitlines())} lines). "
        "It already plays, at random.\n"
        "Next:  karat play quick_shark.py\n"
    )
    shown = karat("play", "quick_shark.py", "--seed", 7, cwd=tmp_path).stdout.splitlines()
    assert shown[0] == (
        f"{GAMES[slug].name}, 4 seats, seed 7   quick_shark vs greedy, random, random"
    )
    assert re.fullmatch(
        r"Result: \d(st|nd|rd|th) of 4\. \d+ decisions, slowest [\d.]+ ms \(limit 250 ms\)\."
        r" No faults\.",
        shown[-2],
    )
    assert shown[-1] == "Replay: quick_shark-7.json     Watch it:  karat watch quick_shark-7.json"
    assert karat("verify", "quick_shark-7.json", cwd=tmp_path).returncode == 0


def ideas(source):
    """The lines of each idea in a starter bot, by their numbers in the file."""
    lines = source.splitlines()
    found = []
    for number, line in enumerate(lines):
        if line.strip().startswith("# Idea"):
            end = number + 1
            while end < len(lines) and lines[end].strip().startswith("#"):
                end += 1
            found.append(range(number + 1, end))
    return found


def uncommented(source, numbers):
    return "\n".join(
        re.sub(r"^( *)# ?", r"\1", line) if number in numbers else line
        for number, line in enumerate(source.splitlines())
    )


@pytest.mark.parametrize("slug", GAMES)
def test_every_idea_of_a_starter_bot_works_when_it_is_uncommented(slug):
    source = starter(slug)
    found = ideas(source)
    assert len(found) == 3
    for numbers in [*found, {number for idea in found for number in idea}]:
        changed = uncommented(source, set(numbers))
        assert changed != source
        for seed in ("1", "2", "3"):
            play_match(changed, slug, GAMES[slug].seats[-1], seed)


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_without_a_starter_of_its_own_gets_a_plain_bot_that_plays(slug, monkeypatch):
    monkeypatch.setattr("bots_sdk.starters.kits", dict)
    source = starter(slug, "PlainBot")
    assert source.startswith(f'"""PlainBot plays {GAMES[slug].name}.')
    assert load(source).games == (slug,)
    play_match(source, slug)


def test_a_match_is_told_from_phase_to_phase(folder):
    shown = karat(
        *("play", "edel-stein-reich", "--bots", "raising.py,greedy,random", "--seed", 7),
        cwd=folder,
    ).stdout.splitlines()
    assert shown[0] == "Edel, Stein & Reich, 3 seats, seed 7   raising vs greedy, random"
    phase = r"  Phase {}  raising \d+M  greedy \d+M  random \d+M"
    for number in (1, 2, 3):
        assert re.fullmatch(phase.format(number), shown[number])
    assert shown[4].endswith(" 1 fault.")


def test_the_same_seed_gives_the_same_matches_in_any_number_of_processes(folder):
    records = []
    for jobs in (1, 2):
        karat(
            *("play", "basari", "--bots", "raising.py,random,random", "--seed", 7),
            *("--games", 6, "--jobs", jobs, "--record", f"{jobs}.jsonl"),
            cwd=folder,
        )
        lines = (folder / f"{jobs}.jsonl").read_text(encoding="utf-8").splitlines()
        records.append([json.loads(line)["digest"] for line in lines])
    assert len(records[0]) == 6
    assert records[0] == records[1]


def test_the_replay_can_be_read_as_sentences(folder):
    karat(
        *("play", "edelsteinsuche", "--bots", "raising.py,random", "--seed", 1),
        *("--record", "x.json"),
        cwd=folder,
    )
    told = karat("watch", "x.json", "--text", cwd=folder)
    assert told.returncode == 0
    lines = told.stdout.splitlines()
    record = json.loads((folder / "x.json").read_text(encoding="utf-8"))
    assert len(lines) == len(record["steps"])
    assert "{" not in told.stdout
    assert any("A raising draws" in line for line in lines)
    assert any(line.endswith("(A raising: E303)") for line in lines)


def test_the_viewer_is_served_until_ctrl_c(folder):
    karat("play", "basari", "--bots", "random", "--seats", 3, "--record", "x.json", cwd=folder)
    with programs.running(
        [*KARAT, "watch", "x.json", "--no-browser"],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        address = re.search(r"http://127\.0\.0\.1:\d+/", running.stdout.readline())[0]
        with urlopen(f"{address}record.json", timeout=30) as answer:
            assert json.load(answer)["game"] == "basari"
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=30)
        assert running.returncode == 0
        assert errors == ""


def test_the_arena_ranks_greedy_before_random(tmp_path):
    arguments = "arena", "edel-stein-reich", "--bots", "random,greedy,fallback", "--deals", 12
    held = karat(*arguments, "--seed", 7, "--jobs", 1, "--json", cwd=tmp_path)
    assert held.returncode == 0, held.stderr
    summary = json.loads(held.stdout)
    assert summary["matches"] == 36
    assert summary["ranking"][0]["bot"] == "greedy"
    assert summary["ranking"][0]["median_ms"] > 0
    met = {(one["bot"], one["other"]): one for one in summary["head_to_head"]}
    assert met["greedy", "random"]["interval"][0] > 0.5
    assert met["greedy", "random"]["deals"] == 12


def test_the_arena_shows_a_table_and_what_is_clear(tmp_path):
    arguments = "arena", "basari", "--bots", "random,random,fallback,fallback", "--games", 30
    shown = karat(*arguments, "--seats", "3,4", "--seed", 7, "--jobs", 1, cwd=tmp_path).stdout
    lines = shown.splitlines()
    assert lines[0] == "Basari: the card game, 3 or 4 seats, seed 7: 30 matches"
    assert lines[1].split() == "# bot rating matches won ahead faults thinks slowest".split()
    assert {line.split("  ")[1] for line in lines[2:6]} == {
        *("random #1", "random #2"),
        *("fallback #1", "fallback #2"),
    }
    assert all(" finishes before " in line for line in lines[-3:])


def test_a_duel_finds_the_better_one_and_says_so(tmp_path):
    found = karat("duel", "greedy", "random", "--seed", 7, "--jobs", 1, cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    lines = found.stdout.splitlines()
    assert lines[0] == (
        "Edel, Stein & Reich, 4 seats, seed 7   greedy or random against greedy, random"
    )
    assert re.fullmatch(r"\d+ mirrored deals in \d+ s", lines[1])
    assert re.fullmatch(
        r"greedy finishes better in [\d.]+ % \(95 %: [\d.]+ to [\d.]+\)\.  Likely better\."
        r" No faults\.",
        lines[2],
    )
    worse = karat("duel", "random", "greedy", "--seed", 7, "--jobs", 1, "--json", cwd=tmp_path)
    assert worse.returncode == 1
    assert json.loads(worse.stdout)["verdict"] == "weaker"


def test_a_duel_with_itself_shows_no_difference(folder):
    arguments = "duel", "fallback", "fallback", "--game", "basari", "--against", "random"
    shown = karat(*arguments, "--deals", 25, "--seats", 3, "--jobs", 1, cwd=folder)
    assert shown.returncode == 0
    assert "No difference found (less than 6.0 points). No faults." in shown.stdout
    assert "won by fallback (1) 0 · same 25 · won by fallback (2) 0" in shown.stdout


def test_a_duel_of_a_bot_that_fails_is_invalid(folder):
    shown = karat("duel", "raising.py", "random", "--deals", 4, "--jobs", 1, cwd=folder)
    assert shown.returncode == 1
    assert "Invalid: raising faulted in 4 deals." in shown.stdout


def test_a_bot_that_ends_its_process_is_named_as_the_cause(folder):
    ended = karat(
        *("play", "basari", "--bots", "ending.py,random,random", "--games", 4, "--jobs", 2),
        cwd=folder,
    )
    assert ended.returncode == 1
    assert ended.stderr == (
        "A bot ended the process that played it; see what it does with --boxed.\n"
    )


def test_a_fault_is_reproduced_with_its_traceback(folder):
    karat(
        *("play", "edelsteinsuche", "--bots", "random,raising.py", "--seed", 1),
        *("--record", "x.json"),
        cwd=folder,
    )
    fault = json.loads((folder / "x.json").read_text(encoding="utf-8"))["faults"][0]
    asked = karat("rerun", "x.json", "--step", fault["step"], "raising.py", cwd=folder)
    assert asked.returncode == 1
    assert f"Step {fault['step']}, " in asked.stdout
    assert "asked of B raising" in asked.stdout
    assert "E303 Your bot raised an exception\n" in asked.stdout
    assert '  File "raising.py", line 10, in decide' in asked.stdout
    assert "\nLookupError: asked 3 times\n" in asked.stdout


def test_a_bot_is_asked_again_with_all_it_knew(folder):
    (folder / "noting.py").write_text(
        "from bots_sdk import Bot\n\n\nclass Noting(Bot):\n    asked = 0\n\n"
        "    def decide(self, view, options):\n        self.asked += 1\n"
        "        self.note(f'{self.asked} {len(view.news)}')\n"
        "        return self.rng.choice(options)\n",
        encoding="utf-8",
    )
    karat(
        *("play", "basari", "--bots", "random,noting.py,random", "--seed", 1),
        *("--record", "x.json"),
        cwd=folder,
    )
    steps = json.loads((folder / "x.json").read_text(encoding="utf-8"))["steps"]
    last = [step for step in steps if step["t"] == "choose"][-1]
    arguments = "rerun", "x.json", "--step", last["i"], "noting.py"
    answer = json.loads(karat(*arguments, "--json", cwd=folder).stdout)
    assert answer["seat"] == 1
    assert answer["move"] == answer["recorded"] == last["moves"][1]
    assert answer["note"] == last["note"][1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("new raising.py", "raising.py already exists"),
        ("new bot.txt", "end it with .py"),
        ("new my_bot.py --game chess", "There is no game 'chess'"),
        ("new nowhere/my_bot.py", "cannot be written"),
        ("play nowhere.py", "There is no file nowhere.py."),
        ("play raising.py --seats 9", "seats, not 9."),
        ("play raising.py --bots random", "To choose the opponents, name the game first"),
        ("play basari --bots esr.py,random,random", "esr.py plays edel-stein-reich, not basari."),
        ("watch nowhere.json", "There is no file nowhere.json."),
        ("arena basari --bots random,random", "needs at least 3 bots; 2 are named."),
        ("arena basari --bots random,random,random --seats 4", "3 bots cannot fill a table of 4"),
        ("arena basari --bots random,random,random --seats x", "is not a list of table sizes"),
        ("duel raising.py nobody", "There is no bot 'nobody'"),
        ("duel raising.py random --seats 1", "seats, not 1."),
        ("rerun 12 --step 3 raising.py", "Which league played match 12?"),
        ("rerun nowhere.json --step 3 raising.py", "There is no file nowhere.json."),
    ],
)
def test_a_wrong_call_gets_one_sentence_and_exit_status_2(
    refused, folder, monkeypatch, arguments, sentence
):
    (folder / "esr.py").write_text(starter("edel-stein-reich"), encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    assert sentence in refused(arguments)
