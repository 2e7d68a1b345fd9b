"""Edelsteinsuche with full views beside commit 0b1820e: `make bench BENCH=views`.

The target is a share of what Edel, Stein & Reich makes with full views in the same slice, because
absolute figures depend on the machine: 100,000 decisions where that makes 161,000, which we take as
its figure with views. That is the milder reading; without views it makes twice as many.

Both checkouts take turns; seven turns take half a minute.
"""

import argparse
import json
from functools import partial

from tests.bench.former import counted, rows
from tests.bench.former.checkout import Checkout, both
from tests.bench.former.rows import Goal, Row, compare
from tests.bench.former.turns import Measure, alternate

PEER = "edel-stein-reich, 3 seats"
TABLES = {f"edelsteinsuche, {seats} seats": f"Edelsteinsuche, {seats} seats" for seats in (2, 3, 4)}
MIN_PERCENT = 62
"""100,000 of 161,000."""


def measure(checkout: Checkout, seconds: float) -> dict[str, float]:
    """Measure once with the code of a checkout: decisions per second, and shares in percent."""
    command = checkout.probe("rules", str(seconds))
    usage = counted.run(command, env=checkout.env, cwd=checkout.folder)
    speeds: dict[str, float] = json.loads(usage.output)
    shares = {f"share, {table}": speeds[table] / speeds[PEER] * 100 for table in TABLES}
    return {**speeds, **shares}


def report(checkouts: list[Checkout], turns: int, seconds: float) -> list[Row]:
    """Measure, and print a row for the peer and two for each number of seats."""
    contestants: dict[str, Measure] = {
        checkout.name: partial(measure, checkout, seconds) for checkout in checkouts
    }
    figures = alternate(contestants, turns)
    peer = Goal("decisions/s with views, Edel, Stein & Reich, 3 seats", "", more_is_better=True)
    rows_of_goals = [compare(peer, figures, PEER)]
    for table, name in TABLES.items():
        speed = Goal(f"decisions/s with views, {name}", "", more_is_better=True)
        share = Goal(
            "the same as a share of Edel, Stein & Reich's",
            "%",
            more_is_better=True,
            min_value=MIN_PERCENT,
        )
        rows_of_goals += [
            compare(speed, figures, table),
            compare(share, figures, f"share, {table}"),
        ]
    rows.report("views", rows_of_goals)
    return rows_of_goals


def main() -> None:
    """Read the options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.4, help="of CPU time for each figure")
    options = parser.parse_args()
    print("rules with views", flush=True)
    report(both(), options.turns, options.seconds)


if __name__ == "__main__":
    main()
