"""What `make bench` compares with a former commit: it counts completely and cannot rot.

The parts run here with tiny counts and with the current code alone; their figures mean nothing.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench import boxed, bundles, pipeline, rating, views
from tests.bench.former import checkout, counted, rows
from tests.bench.former.rows import Goal, Row, compare
from tests.bench.former.turns import Figures, alternate
from tests.league.home import STACKS

BURN = """
import os, time

def burn(seconds):
    started_at = time.process_time()
    while time.process_time() - started_at < seconds:
        pass

burn(0.1)
if os.fork() == 0:
    burn(0.1)
    if os.fork() == 0:
        # Nobody but the one who inherits orphans waits for this one.
        os.setsid()
        burn(0.4)
    os._exit(0)
os.wait()
"""


@pytest.fixture(autouse=True)
def kept_folder(tmp_path, monkeypatch):
    """Where rows are kept, so that a test changes nobody's figures."""
    monkeypatch.setattr(rows, "FOLDER", tmp_path / "rows")
    return tmp_path / "rows"


def test_the_time_of_an_orphan_in_a_session_of_its_own_is_counted():
    idle = counted.run([sys.executable, "-c", "pass"])
    busy = counted.run([sys.executable, "-c", BURN])
    assert busy.cpu_seconds - idle.cpu_seconds > 0.55


def test_what_a_command_prints_comes_back():
    assert counted.run(["echo", "seven"]).output == "seven\n"


def test_a_command_that_fails_has_no_times():
    with pytest.raises(counted.CommandFailed, match="no such game"):
        counted.run([sys.executable, "-c", "raise SystemExit('no such game')"])


def test_what_outlives_its_command_is_ended_and_reported(tmp_path):
    leave = f"sleep 60 & echo $! > {tmp_path}/pid"
    with pytest.raises(counted.CommandFailed, match="outlived"):
        counted.run(["sh", "-c", leave], orphan_seconds=0.2)
    assert not is_running(tmp_path / "pid")


def test_a_command_that_takes_too_long_is_ended_with_all_it_started(tmp_path):
    stay = f"setsid sleep 60 & echo $! > {tmp_path}/pid; wait"
    with pytest.raises(subprocess.TimeoutExpired):
        counted.run(["sh", "-c", stay], timeout=3)
    assert not is_running(tmp_path / "pid")


def is_running(pid_file):
    """Return whether the process is there whose id is in this file."""
    return Path("/proc", pid_file.read_text().strip()).exists()


@pytest.mark.parametrize("with_git", [True, False])
def test_without_the_history_the_former_commit_is_missing_and_a_message_says_so(tmp_path, with_git):
    if with_git:
        subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    with pytest.raises(checkout.FormerMissing, match="not in the history"):
        checkout.former(tmp_path, tmp_path / "former")
    assert not (tmp_path / "former").exists()


def test_without_the_former_commit_the_current_code_is_measured_alone(monkeypatch, capsys):
    def missing():
        raise checkout.FormerMissing("this is a tarball")

    monkeypatch.setattr(checkout, "former", missing)
    assert checkout.both() == [checkout.current()]
    assert "No comparison with commit 0b1820e: this is a tarball." in capsys.readouterr().out


def test_contestants_take_turns_and_who_begins_changes():
    order = []

    def contestant(name):
        return lambda: order.append(name) or {"figure": 1.0}

    alternate({"a": contestant("a"), "b": contestant("b")}, 2)
    assert order == ["a", "b", "b", "a"]


@pytest.mark.parametrize(
    ("goal", "values", "ratio", "met"),
    [
        pytest.param(
            Goal("cost", "ms", min_ratio=3), (90, 30), "3.00 ×", "yes", id="less is better"
        ),
        pytest.param(Goal("cost", "ms", min_ratio=3), (30, 90), "0.33 ×", "no", id="worse"),
        pytest.param(
            Goal("speed", "", more_is_better=True, min_ratio=2.5),
            (10, 20),
            "2.00 ×",
            "no",
            id="more",
        ),
        pytest.param(
            Goal("cost", "ms", min_ratio=3, max_value=50), (90, 40), "2.25 ×", "yes", id="either"
        ),
        pytest.param(Goal("cost", "ms"), (90, 40), "2.25 ×", "", id="no target"),
    ],
)
def test_a_ratio_above_one_means_better_than_before(goal, values, ratio, met):
    figures = Figures({"former": {"x": [values[0]]}, "now": {"x": [values[1]]}})
    row = compare(goal, figures, "x")
    assert (row.ratio, row.met) == (ratio, met)


def test_without_the_former_commit_a_row_has_no_ratio_but_still_its_figure():
    row = compare(Goal("cost", "ms", min_ratio=3), Figures({"now": {"x": [30.0]}}), "x")
    assert row == Row("cost", now="30.0 ms", target="≥ 3 ×")


def test_kept_rows_come_back_as_lines_of_markdown(kept_folder):
    row = Row("cost", "90 ms", "30 ms", "3.00 ×", "2.90 to 3.10", "≥ 3 ×", "yes")
    rows.report("boxed", [row])
    [(part, _, kept)] = rows.kept_rows(["boxed", "rating"], kept_folder)
    assert (part, kept) == ("boxed", [row])
    last = rows.markdown(kept).splitlines()[-1]
    assert last == "| cost | 90 ms | 30 ms | 3.00 × | 2.90 to 3.10 | ≥ 3 × | yes |"


def test_boxes_are_measured_with_the_current_code():
    table = boxed.report([checkout.current()], turns=1, matches=15, boxes=3)
    assert all(row.now for row in table)


def test_bundles_are_measured(capsys):
    bundles.report(bundles.measure(turns=1, weights_mib=1))
    assert "of a single file that imports numpy" in capsys.readouterr().out


def test_ratings_are_measured_with_the_current_code():
    table = rating.report([checkout.current()], turns=1, seconds=0.01)
    assert all(row.now.endswith(" µs") for row in table)


def test_views_are_measured_with_the_current_code():
    table = views.report([checkout.current()], turns=1, seconds=0.01)
    assert all(row.now for row in table)


def test_the_pipeline_is_measured_with_the_current_code():
    [(stack, _)] = [item for item in STACKS.items() if not item[1]]
    [row] = pipeline.report([checkout.current()], [stack], turns=1, matches=3)
    assert row.now.endswith(" per s")
