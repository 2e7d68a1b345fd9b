"""Rating a match with a tie beside commit 0b1820e and TrueSkill alone: `make bench BENCH=rating`.

Both checkouts take turns; seven turns take half a minute.
"""

import argparse
import json
from functools import partial

from tests.bench.former import counted, rows
from tests.bench.former.checkout import CURRENT, Checkout, both
from tests.bench.former.rows import Goal, Row, compare, show_value
from tests.bench.former.turns import Measure, alternate

GOALS = {
    "3 seats": Goal("rate a match of 3 seats with a tie", "µs", min_ratio=11.7, max_value=40),
    "5 seats": Goal("rate a match of 5 seats with a tie", "µs", min_ratio=12.7, max_value=100),
}


def measure(checkout: Checkout, seconds: float) -> dict[str, float]:
    """Rate matches with the code of a checkout, and with the library alone."""
    command = checkout.probe("rating", str(seconds))
    usage = counted.run(command, env=checkout.env, cwd=checkout.folder)
    return dict(json.loads(usage.output))


def report(checkouts: list[Checkout], turns: int, seconds: float) -> list[Row]:
    """Measure, and print a row for each size of a table and one for the library."""
    contestants: dict[str, Measure] = {
        checkout.name: partial(measure, checkout, seconds) for checkout in checkouts
    }
    figures = alternate(contestants, turns)
    table = [compare(goal, figures, name) for name, goal in GOALS.items()]
    for name in GOALS:
        alone = figures.typical(CURRENT, f"{name}, trueskill")
        table.append(
            Row(f"trueskill alone, {name}, one order of the tie", now=show_value(alone, "µs"))
        )
    rows.report("rating", table)
    return table


def main() -> None:
    """Read the options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3, help="of CPU time for each figure")
    options = parser.parse_args()
    print("rating one match", flush=True)
    report(both(), options.turns, options.seconds)


if __name__ == "__main__":
    main()
