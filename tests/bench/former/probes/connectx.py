"""Decisions per CPU second of kaggle-environments' connectx between its own random agents.

    connectx.py SECONDS    prints one JSON number

Runs in an environment of its own (`deploy/setup.sh kaggle`). Agents of that library share one
process with the game; nothing confines them.
"""

import json
import sys
from contextlib import redirect_stdout
from time import process_time

with redirect_stdout(sys.stderr):
    # It says which of its other games cannot be loaded, as only what connectx needs is installed.
    from kaggle_environments import make  # type: ignore[import-not-found]


def main(seconds: float) -> None:
    """Play whole games for so long."""
    environment = make("connectx")
    decisions, started_at = 0, process_time()
    while (used := process_time() - started_at) < seconds:
        environment.reset()
        steps = environment.run(["random", "random"])
        # The first step is the empty board.
        decisions += len(steps) - 1
    print(json.dumps(decisions / used))


if __name__ == "__main__":
    main(float(sys.argv[1]))
