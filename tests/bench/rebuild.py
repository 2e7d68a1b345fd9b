"""What rating a match costs, and computing all ratings anew: `python -m tests.bench.rebuild`.

Two made-up leagues, one five times the other, show that the time grows with the number of matches
and no faster. What the library alone takes for as many matches is measured in the same run.
"""

import argparse
from resource import RUSAGE_CHILDREN, getrusage

from tests.bench import arithmetic
from tests.league.home import new_league

MATCHES = 10_000
SMALLER = 5


def _children_seconds() -> float:
    """Return the CPU time of all commands so far."""
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(matches: int) -> float:
    """CPU seconds to compute and compare every digit, after a first time had to write them all."""
    with new_league(server=False) as home:
        home.manage("seed_demo", "--matches", str(matches), "--bots", "100", "--played", "0")
        begun = _children_seconds()
        home.manage("rebuild_ratings")
        written = _children_seconds()
        home.manage("rebuild_ratings", "--check")
        took = _children_seconds() - written
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
    arithmetic.compare_with_the_library()
    arithmetic.compare_larger_ties()
    arithmetic.measure()
    few = many // SMALLER
    for_few, for_many = measure(few), measure(many)
    print(f"`trueskill` alone takes {arithmetic.library_seconds(many):.1f} s for {many:,} matches")
    print(f"a match of the larger takes {for_many / many / (for_few / few):.2f} times as long")


if __name__ == "__main__":
    main()
