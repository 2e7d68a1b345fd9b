"""What boxed matches cost, beside commit 0b1820e in the same run: `make bench BENCH=boxed`.

Edel, Stein & Reich with three seats, all of them the same file that makes any legal move. Both
checkouts are measured in turns, by CPU time of all processes (`former/counted.py`) unless a row
says otherwise; a command is run with few and with many matches, and the difference is what matches
cost without the start of the command. Five turns take about eight minutes.
"""

import argparse
import json
import shutil
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from tests.bench.former import counted, rows
from tests.bench.former.checkout import CURRENT, PROBES, ROOT, Checkout, both
from tests.bench.former.rows import Goal, Row, compare, show_value
from tests.bench.former.turns import Figures, Measure, alternate

BOT = Path(__file__).parent / "former" / "any_move.py"
SEATS = 3
JOBS = 2
FEW = 15
"""A short run has a fifteenth of the matches of a long one."""
WARM_UP = 4
"""Matches before the first turn: a fresh checkout compiles its modules in them."""
DECISIONS = 142
"""Of a match between such bots, on average."""
GOALS = {
    "match": Goal("CPU of a boxed match", "ms", min_ratio=3, max_value=28),
    "start": Goal("CPU from asking for a box to a loaded bot", "ms", min_ratio=3.6, max_value=5),
    "decision": Goal("CPU of a boxed decision, both sides", "µs", min_ratio=2),
    "rate": Goal(
        "boxed matches/s on 2 cores, the whole command",
        "per s",
        more_is_better=True,
        min_ratio=2.5,
    ),
    "rate after start-up": Goal(
        "the same without the start of the command", "per s", more_is_better=True
    ),
    "in process": Goal("CPU of a match of the same files in-process", "ms"),
}
KAGGLE = ROOT / ".venv-kaggle" / "bin" / "python"
KAGGLE_SECONDS = 2
NAIVE_CPU = Goal("the naive box: CPU of bwrap and `python -c pass`", "ms")
NAIVE_WALL = Goal("the same by the clock", "ms")


@dataclass(frozen=True, slots=True)
class Slice:
    """How much of everything is measured in one turn."""

    matches: int
    boxes: int

    def measure(self, checkout: Checkout) -> dict[str, float]:
        """Measure everything once with the code of a checkout."""
        few, many = self.matches // FEW, self.matches
        start, whole = (_play(checkout, count, JOBS, "--boxed") for count in (few, many))
        extra = many - few
        return {
            "match": (whole.cpu_seconds - start.cpu_seconds) / extra * 1e3,
            "rate": many / whole.wall_seconds,
            "rate after start-up": extra / (whole.wall_seconds - start.wall_seconds),
            "in process": self._in_process_ms(checkout),
            "start": _probe(checkout, "start", self.boxes),
            "decision": _probe(checkout, "decide", self.boxes // SEATS),
        }

    def _in_process_ms(self, checkout: Checkout) -> float:
        """Return the CPU time of a match without boxes; it takes many to stand out."""
        few, many = self.matches // FEW, self.matches * 2
        start, whole = (_play(checkout, count, 1) for count in (few, many))
        return (whole.cpu_seconds - start.cpu_seconds) / (many - few) * 1e3

    def naive(self) -> dict[str, float]:
        """Start an interpreter behind bare bubblewrap, again and again."""
        box = "bwrap --ro-bind / / --unshare-all --die-with-parent"
        loop = f'for _ in $(seq $0); do {box} "$1" -c pass; done'
        few, many = (
            counted.run(["sh", "-c", loop, str(count), sys.executable])
            for count in (1, self.boxes + 1)
        )
        return {
            "CPU": (many.cpu_seconds - few.cpu_seconds) / self.boxes * 1e3,
            "wall": (many.wall_seconds - few.wall_seconds) / self.boxes * 1e3,
        }


def connectx() -> dict[str, float]:
    """Return the CPU time of a decision in kaggle-environments' connectx, without any box."""
    usage = counted.run([KAGGLE, "-P", PROBES / "connectx.py", str(KAGGLE_SECONDS)])
    return {"decision": 1e6 / float(json.loads(usage.output))}


def _play(checkout: Checkout, matches: int, jobs: int, *options: str) -> counted.Usage:
    """Play by the command, with options that it had at the former commit, too."""
    usage = counted.run(
        [
            *(checkout.karat, "play", "edel-stein-reich", "--bots", BOT, "--seats", str(SEATS)),
            *("--games", str(matches), "--jobs", str(jobs), "--seed", "bench", "--json", *options),
        ],
        env=checkout.env,
        cwd=checkout.folder,
    )
    result = json.loads(usage.output)
    if result["matches"] != matches or result["faults"]:
        raise counted.CommandFailed(f"not a plain run: {usage.output}")
    return usage


def _probe(checkout: Checkout, what: str, count: int) -> float:
    command = checkout.probe("boxes", what, str(count))
    usage = counted.run(command, env=checkout.env, cwd=checkout.folder)
    return float(json.loads(usage.output))


def explain_parts(figures: Figures, name: str) -> str:
    """Return the parts of a match beside the whole: a check that no process escaped."""
    whole, start, decision = (
        figures.typical(name, figure) or 0.0 for figure in ("match", "start", "decision")
    )
    parts = SEATS * start + DECISIONS * decision / 1e3
    verdict = "" if whole > parts * 0.8 else "  A PROCESS ESCAPED THE COUNT"
    return (
        f"{name}: {SEATS} starts and {DECISIONS} decisions take {parts:.1f} ms, "
        f"a whole match {whole:.1f} ms{verdict}"
    )


def report(checkouts: list[Checkout], turns: int, matches: int, boxes: int) -> list[Row]:
    """Measure, and print the rows of all goals."""
    size = Slice(matches, boxes)
    for checkout in checkouts:
        _play(checkout, WARM_UP, JOBS, "--boxed")
    contestants: dict[str, Measure] = {
        checkout.name: partial(size.measure, checkout) for checkout in checkouts
    }
    if shutil.which("bwrap"):
        contestants["naive"] = size.naive
    if KAGGLE.exists():
        contestants["kaggle"] = connectx
    figures = alternate(contestants, turns)
    table = [compare(goal, figures, name) for name, goal in GOALS.items()]
    for name, goal in (("CPU", NAIVE_CPU), ("wall", NAIVE_WALL)):
        table.append(Row(goal.what, now=show_value(figures.typical("naive", name), goal.unit)))
    table.append(_compare_with_kaggle(figures))
    rows.report("boxed", table)
    for checkout in checkouts:
        print(explain_parts(figures, checkout.name))
    return table


def _compare_with_kaggle(figures: Figures) -> Row:
    """Return how many boxed decisions are made while that library makes one without boxes."""
    goal = Goal("kaggle-environments, connectx, unboxed: CPU of a decision", "µs")
    ratios = figures.ratios("kaggle", CURRENT, "decision")
    if not ratios:
        return Row(goal.what, now="not installed")
    return Row(
        goal.what,
        now=show_value(figures.typical("kaggle", "decision"), goal.unit),
        ratio=f"{median(ratios):.2f} ×",
        spread=f"{min(ratios):.2f} to {max(ratios):.2f}",
    )


def main() -> None:
    """Read the options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--matches", type=int, default=300, help="of a long run of the command")
    parser.add_argument("--boxes", type=int, default=45, help="started one by one")
    options = parser.parse_args()
    print("boxed matches, Edel, Stein & Reich, 3 seats", flush=True)
    report(both(), options.turns, options.matches, options.boxes)


if __name__ == "__main__":
    main()
