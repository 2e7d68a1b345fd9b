"""Mirrored deals stored by four processes at once on PostgreSQL, with ratings written beside them.

`python -m tests.bench.mirrored` prints how many deadlocks the database had to break, how many
results were lost, and ends with 1 if there was any of either.
"""

import sys
import time

from tests.league import mirrored
from tests.league.home import new_league

DEALS = 667
"""Of three rotations each: 2,001 games."""


def main():
    """Exit with 1 if a result was lost or played twice, or a deadlock was broken."""
    with new_league(server=True) as home:
        begun = time.monotonic()
        ended, result = mirrored.play(home, DEALS, seconds=900)
        seconds = time.monotonic() - begun
        deadlocks = mirrored.deadlocks(home)
    games = DEALS * 3
    lost = games - min(result["finished"], result["records"], result["rated"])
    print(
        f"{games} mirrored games, 4 processes, {seconds:.0f} s: {deadlocks} deadlocks, "
        f"{lost} lost, {result['played twice']} played twice, {result['hidden']} still hidden, "
        f"processes ended with {ended}"
    )
    sys.exit(bool(deadlocks or lost or result["played twice"] or result["hidden"] or any(ended)))


if __name__ == "__main__":
    main()
