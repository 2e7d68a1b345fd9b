"""`make chaos`: break a league for some minutes, on both stacks, and say what held."""

import argparse
import sys

from tests.chaos.league import run
from tests.league.home import STACKS


def main():
    """Exit with 1 if something did not hold."""
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--seconds", type=int, default=150, help="for each stack")
    parser.add_argument("--seed", default="chaos")
    parser.add_argument("--stack", choices=["embedded", "server", "both"], default="both")
    given = parser.parse_args()
    unwanted = {"embedded": True, "server": False, "both": None}[given.stack]
    failed = False
    for name, server in STACKS.items():
        if server is unwanted:
            continue
        print(f"chaos on {name}", flush=True)
        done, played, wrong = run(
            server=server,
            seconds=given.seconds,
            seed=given.seed,
            say=lambda text: print(f"  {text}", flush=True),
        )
        for what, count in done.most_common():
            print(f"  {count:4} × {what.replace('_', ' ')}")
        print(f"  matches: {', '.join(f'{n} {status}' for status, n in played.items())}")
        for complaint in wrong:
            print(f"  DOES NOT HOLD: {complaint}")
        print("  something does not hold" if wrong else "  everything holds", flush=True)
        failed |= bool(wrong)
    sys.exit(failed)


if __name__ == "__main__":
    main()
