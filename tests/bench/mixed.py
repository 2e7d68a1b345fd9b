"""Pages per second of one web process beside commit 0b1820e: `make bench BENCH=mixed`.

Each checkout makes up the same league on SQLite and serves it; `tests.bench.pages_per_second` reads
a fixed mix of pages from one and the other in turns. Making the leagues takes two minutes, five
turns three more.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial

from tests import programs
from tests.bench.former import rows
from tests.bench.former.checkout import ROOT, Checkout, both
from tests.bench.former.rows import Goal, Row, compare
from tests.bench.former.turns import Measure, alternate
from tests.league.home import free_port

GOALS = {
    "pages_per_second": Goal(
        "pages/s of one web process, mixed",
        "per s",
        more_is_better=True,
        min_ratio=3,
        min_value=150,
    ),
    "cpu_ms_per_page": Goal("CPU of a page in the web process", "ms"),
}


@dataclass(frozen=True, slots=True)
class Site:
    """A web server that is running."""

    port: int
    pid: int

    def measure(self, seconds: float) -> dict[str, float]:
        """Read pages for so long."""
        figures = json.loads(
            subprocess.run(
                [
                    *(sys.executable, "-m", "tests.bench.pages_per_second"),
                    *(f"http://127.0.0.1:{self.port}", "--pid", str(self.pid)),
                    *("--seconds", str(seconds)),
                ],
                cwd=ROOT,
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            ).stdout
        )
        if figures["errors"]:
            raise RuntimeError(f"pages were refused: {figures['errors']}")
        return {name: figures[name] for name in GOALS}


@contextmanager
def serving(checkout: Checkout, matches: int, bots: int) -> Iterator[Site]:
    """Serve a league of a checkout while the block runs."""
    port = free_port()
    with programs.running(
        checkout.probe("site", str(matches), str(bots), str(port)),
        env=checkout.env,
        cwd=checkout.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            line = process.stdout.readline()
            if not line:
                raise RuntimeError(f"the site of {checkout.name} did not come up")
            yield Site(port, int(line))
        finally:
            # It ends its server itself; the former commit's would outlive a probe that is killed.
            process.stdin.close()
            process.wait(programs.PATIENCE_SECONDS)


def report(
    checkouts: list[Checkout], turns: int, seconds: float, matches: int, bots: int
) -> list[Row]:
    """Measure, and print a row for each figure."""
    with ExitStack() as stack:
        contestants: dict[str, Measure] = {}
        for checkout in checkouts:
            site = stack.enter_context(serving(checkout, matches, bots))
            contestants[checkout.name] = partial(site.measure, seconds)
        figures = alternate(contestants, turns)
    table = [compare(goal, figures, name) for name, goal in GOALS.items()]
    rows.report("mixed", table)
    return table


def main() -> None:
    """Read the options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--matches", type=int, default=5000)
    parser.add_argument("--bots", type=int, default=300)
    options = parser.parse_args()
    print("pages of one web process", flush=True)
    report(both(), options.turns, options.seconds, options.matches, options.bots)


if __name__ == "__main__":
    main()
