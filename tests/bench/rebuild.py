"""How long it takes to compute all ratings anew: `python -m tests.bench.rebuild`.

Two made-up leagues, one five times the other, show that the time grows with the number of matches
and no faster.
"""

import argparse
from time import perf_counter

from tests.league.home import new_league

MATCHES = 10_000
SMALLER = 5


def measure(matches: int) -> float:
    """Seconds to compute and compare every digit, after a first time had to write them all."""
    with new_league(server=False) as home:
        home.manage("seed_demo", "--matches", str(matches), "--bots", "100", "--played", "0")
        begun = perf_counter()
        home.manage("rebuild_ratings")
        written = perf_counter()
        home.manage("rebuild_ratings", "--check")
        took = perf_counter() - written
    print(
        f"ratings of {matches:,} matches anew: {took:.1f} s; "
        f"{written - begun:.1f} s if every line has to be written"
    )
    return took


def main() -> None:
    """Print both, and how the time for a match differs."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--matches", type=int, default=MATCHES)
    many = asked.parse_args().matches
    few = many // SMALLER
    for_few, for_many = measure(few), measure(many)
    print(f"a match of the larger takes {for_many / many / (for_few / few):.2f} times as long")


if __name__ == "__main__":
    main()
