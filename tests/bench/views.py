"""Edelsteinsuche with full views beside commit 0b1820e: `make bench BENCH=views`.

The target is a share of what Edel, Stein & Reich makes without views in the same slice, because
absolute figures depend on the machine: 100,000 decisions where that makes 161,000. Both checkouts
take turns; seven turns take half a minute.
"""

import argparse
import json
from functools import partial

from tests.bench.former import counted, rows
from tests.bench.former.checkout import Checkout, both
from tests.bench.former.rows import Goal, Row, compare
from tests.bench.former.turns import Measure, alternate

SEATS = (2, 3, 4)
MIN_SHARE = 100 / 161


def measure(checkout: Checkout, seconds: float) -> dict[str, float]:
    """Measure once with the code of a checkout: decisions per second, and shares in percent."""
    command = checkout.probe("rules", str(seconds))
    usage = counted.run(command, env=checkout.env, cwd=checkout.folder)
    speeds: dict[str, float] = json.loads(usage.output)
    shares = {
        f"share, {n} seats": speeds[f"views, {n} seats"] / speeds["bare"] * 100 for n in SEATS
    }
    return {**speeds, **shares}


def report(turns: int, seconds: float) -> list[Row]:
    """Measure, and print two rows for each number of seats."""
    contestants: dict[str, Measure] = {
        checkout.name: partial(measure, checkout, seconds) for checkout in both()
    }
    figures = alternate(contestants, turns)
    bare = Goal("Edel, Stein & Reich, 3 seats, no views: decisions/s", "", more_is_better=True)
    table = [compare(bare, figures, "bare")]
    for seats in SEATS:
        name = f"Edelsteinsuche with views, {seats} seats"
        speed = Goal(f"{name}: decisions/s", "", more_is_better=True)
        share = Goal(
            f"{name}: share of the first row", "%", more_is_better=True, min_value=MIN_SHARE * 100
        )
        table.append(compare(speed, figures, f"views, {seats} seats"))
        table.append(compare(share, figures, f"share, {seats} seats"))
    rows.report("views", table)
    return table


def main() -> None:
    """Read the options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.4, help="of CPU time for each figure")
    options = parser.parse_args()
    print("rules with views", flush=True)
    report(options.turns, options.seconds)


if __name__ == "__main__":
    main()
