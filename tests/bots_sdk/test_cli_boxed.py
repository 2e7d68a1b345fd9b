"""`karat play --boxed` and `karat doctor`: strangers' files, in real boxes."""

import json

import pytest

from tests.bots_sdk.test_cli import karat

HONEST = """
from bots_sdk import Bot

class Honest(Bot):
    def decide(self, view, options):
        print("deciding", view.decision)
        self.note("because")
        return self.rng.choice(options)
"""
RAISING = """
from bots_sdk import Bot

class Raising(Bot):
    def decide(self, view, options):
        raise LookupError("secret of the author")
"""
ENDLESS = "while True:\n    pass\n"


@pytest.fixture
def folder(tmp_path):
    for name, source in (("honest", HONEST), ("raising", RAISING), ("endless", ENDLESS)):
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    return tmp_path


def test_files_and_our_own_bots_play_at_one_table(folder):
    played = karat(
        *("play", "edel-stein-reich", "--bots", "honest.py,raising.py,random", "--boxed"),
        *("--seed", 5, "--games", 2, "--record", "out.jsonl", "--json"),
        cwd=folder,
    )
    assert played.returncode == 1, played.stderr
    summary = json.loads(played.stdout)
    assert summary["matches"] == 2
    assert {(fault["seat"], fault["code"]) for fault in summary["faults"]} == {(1, "E303")}
    assert len(summary["faults"]) == 6
    tracebacks = [fault["traceback"] for fault in summary["faults"]]
    assert 'File "raising.py", line 6, in decide' in tracebacks[0]
    assert tracebacks[1:] == [None] * 5
    records = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert [record["outcome"]["forfeits"] for record in records] == [[1], [1]]
    assert records[0]["limits"]["decision_cpu_ms"] == 250
    assert karat("verify", folder / "out.jsonl").returncode == 0


def test_the_same_files_and_seed_give_the_same_matches(folder):
    digests = []
    for name in ("1.jsonl", "2.jsonl"):
        karat(
            *("play", "basari", "--bots", "honest.py", "--seats", 3, "--boxed"),
            *("--seed", 9, "--record", name),
            cwd=folder,
        )
        digests.append(json.loads((folder / name).read_text())["digest"])
    assert digests[0] == digests[1]


def test_a_fault_is_told_with_its_title_and_place(folder):
    shown = karat(
        *("play", "edelsteinsuche", "--bots", "endless.py,honest.py", "--boxed", "--seed", 1),
        cwd=folder,
    ).stdout
    assert "A endless forfeited before its first move; fallback moves finished its game." in shown
    assert "E201 The bot does not start\n`endless.py` stopped while it was loaded" in shown
    assert shown.endswith("Reproduce it:  karat check endless.py\n")


def test_what_bots_print_is_kept_by_decision(folder):
    karat(
        *("play", "edelsteinsuche", "--bots", "honest.py,random", "--boxed", "--seed", 1),
        *("--logs", "logs"),
        cwd=folder,
    )
    (log,) = (folder / "logs").iterdir()
    assert log.name == "1-1-A-honest.log"
    lines = log.read_text().splitlines()
    assert lines[0].startswith("--- step ")
    assert lines[1].startswith("deciding ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--bots nowhere.py,random --boxed", "There is no file nowhere.py."),
        ("--bots honest,random --boxed", "or name a .py file"),
        ("--bots binary.py,random --boxed", "is not UTF-8 text"),
        ("--bots large.py,random --boxed", "is larger than 256 KiB"),
    ],
)
def test_a_file_that_cannot_play_is_refused_in_a_sentence(
    refused, folder, monkeypatch, arguments, sentence
):
    (folder / "binary.py").write_bytes(b"\xff\xfe")
    (folder / "large.py").write_text("#" * 300_000)
    monkeypatch.chdir(folder)
    assert sentence in refused(f"play edelsteinsuche {arguments}")


def test_the_doctor_tries_every_wall_and_all_of_them_hold():
    examined = karat("doctor", "--json")
    assert examined.returncode == 0, examined.stdout
    report = json.loads(examined.stdout)
    assert report["held"] is True
    assert len(report["walls"]) >= 10
    assert karat("doctor").stdout.endswith("All walls hold.\n")


def test_a_good_bot_passes_the_check_step_by_step(folder):
    checked = karat("check", "honest.py", "--game", "basari", cwd=folder)
    assert checked.returncode == 0
    lines = checked.stdout.splitlines()
    assert [line[:5] for line in lines[:-1]] == [f"ok  {number}" for number in range(1, 8)]
    assert lines[-1] == "Ready to upload:  karat push honest.py"


def test_a_syntax_error_is_shown_where_it_is(folder):
    (folder / "open.py").write_text("class A:\n    def decide(self)\n        pass\n")
    checked = karat("check", "open.py", cwd=folder)
    assert checked.returncode == 1
    assert "no  2 E101 Python cannot read the file\nopen.py:2\n" in checked.stdout
    assert "2 |     def decide(self)\n  |                     ^\n" in checked.stdout


def test_a_failure_in_the_box_comes_with_the_author_s_own_traceback(folder):
    checked = karat("check", "raising.py", "--json", cwd=folder)
    assert checked.returncode == 1
    report = json.loads(checked.stdout)
    failed = report["steps"][-1]
    assert report["ok"] is False
    assert failed["message"]["code"] == "E303"
    assert 'raise LookupError("secret of the author")' in failed["traceback"]
    assert str(folder) not in checked.stdout


@pytest.mark.parametrize("arguments", ["nowhere.py", "honest.py --game chess"])
def test_a_check_of_nothing_is_refused(refused, folder, monkeypatch, arguments):
    monkeypatch.chdir(folder)
    assert refused(f"check {arguments}")
