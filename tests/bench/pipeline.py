"""Matches per second through the whole league beside commit 0b1820e: `make bench BENCH=pipeline`.

Each checkout plays the same matches with its own league: stored in a queue, claimed by two
workers, played in boxes, stored and rated; on SQLite, and on PostgreSQL with Redis. Both checkouts
take turns; three turns take about five minutes.
"""

import argparse
import json
from functools import partial

from tests.bench.former import counted, rows
from tests.bench.former.checkout import Checkout, both
from tests.bench.former.rows import Goal, Row, compare
from tests.bench.former.turns import Measure, alternate
from tests.league.home import STACKS

WORKERS = 2


def measure(checkout: Checkout, stacks: list[str], matches: int) -> dict[str, float]:
    """Measure each stack once with the code of a checkout."""
    rates = {}
    for stack in stacks:
        command = checkout.probe("league", stack, str(matches), str(WORKERS))
        usage = counted.run(command, env=checkout.env, cwd=checkout.folder)
        rates[stack] = float(json.loads(usage.output))
    return rates


def report(checkouts: list[Checkout], stacks: list[str], turns: int, matches: int) -> list[Row]:
    """Measure, and print a row for each stack."""
    contestants: dict[str, Measure] = {
        checkout.name: partial(measure, checkout, stacks, matches) for checkout in checkouts
    }
    figures = alternate(contestants, turns)
    table = [
        compare(
            Goal(
                f"matches/s through the league, {WORKERS} workers, {stack}",
                "per s",
                more_is_better=True,
                min_ratio=2.5,
            ),
            figures,
            stack,
        )
        for stack in stacks
    ]
    rows.report("pipeline", table)
    return table


def main() -> None:
    """Read the options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--matches", type=int, default=150)
    options = parser.parse_args()
    print("the whole league, Basari, 3 seats", flush=True)
    report(both(), list(STACKS), options.turns, options.matches)


if __name__ == "__main__":
    main()
