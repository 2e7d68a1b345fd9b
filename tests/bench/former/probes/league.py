"""Matches per second through queue, boxes, storage and ratings, with the code of this checkout.

    league.py STACK MATCHES WORKERS    prints one JSON number

The checkout's own `tests/bench/league.py` fills the queue, starts the workers and measures: names
of models and services changed since the former commit.
"""

import json
import sys

from tests.bench import league
from tests.league.home import STACKS, new_league


def main(stack: str, matches: int, workers: int) -> None:
    """Measure one stack."""
    league.MATCHES = matches
    # How long single matches wait in the queue is measured by `make bench BENCH=league`.
    league.ALONE = 1
    with new_league(server=STACKS[stack]) as home:
        home.python(league.PLAYERS)
        rate, _ = league.pipeline(home, workers)
    print(json.dumps(rate))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
