"""Products of sizes, seats, games and the like: a covering sample, or all of it with FULL=1.

`make test` runs the sample, `make test-full` the whole product: the same tests with more cases.
"""

import os
from collections.abc import Sequence
from itertools import product
from typing import Any

FULL = os.environ.get("FULL", "") not in {"", "0"}


def combinations(*dimensions: Sequence[Any], full: bool = FULL) -> list[tuple[Any, ...]]:
    """Return all combinations, or so few that every value of every dimension is in one."""
    if full:
        return list(product(*dimensions))
    return [
        tuple(values[number % len(values)] for values in dimensions)
        for number in range(max(map(len, dimensions)))
    ]
