"""What boxes cost with the code of the checkout whose interpreter runs this, as JSON.

    boxes.py start COUNT      CPU ms from asking for a box to a loaded bot
    boxes.py decide MATCHES   CPU µs of a decision, in the referee and in the box together

Both read the clocks of all processes below the one that started this, while all of them live: how
a box ends is not part of either figure. Run it by `tests.bench.former.counted`, which inherits
processes that lost their parents. Imports nothing of `tests`: a former checkout has other files.
"""

import json
import os
import sys
from contextlib import ExitStack, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import clock_gettime, process_time

from engine.game import Game
from runners import match
from runners.boxed import boxed_players

GAME = "edel-stein-reich"
SEATS = 3
WARM_UP = 3
"""Boxes before the first that counts: the first of a process prepares what all others use."""
SOURCE = """from bots_sdk import Bot


class AnyMove(Bot):
    def decide(self, view, options):
        return self.rng.choice(options)
"""
TICK_SECONDS = 1 / os.sysconf("SC_CLK_TCK")


class Meter:
    """CPU time of this process and all others below the one that started it, from now on."""

    def __init__(self) -> None:
        self._root = os.getppid()
        # Looking for processes takes time of this one, which must not count: before the first
        # mark of its own clock, and after the second.
        self._others = _others_cpu_seconds(self._root)
        self._own = process_time()

    def seconds(self) -> float:
        """Return what was used since."""
        own = process_time() - self._own
        return own + _others_cpu_seconds(self._root) - self._others


def _others_cpu_seconds(root: int) -> float:
    """Return the CPU time of all processes below this one, and of those they waited for."""
    parents, waited = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            # A process may end while we look.
            with suppress(OSError):
                # The name, in brackets, may itself hold spaces and brackets.
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                pid = int(folder.name)
                parents[pid] = int(fields[1])
                waited[pid] = (int(fields[13]) + int(fields[14])) * TICK_SECONDS
    below = [pid for pid in parents if _is_below(pid, root, parents)]
    return sum(waited[pid] + (_clock(pid) if pid != os.getpid() else 0) for pid in below)


def _is_below(pid: int, root: int, parents: dict[int, int]) -> bool:
    while pid != root and pid in parents:
        pid = parents[pid]
    return pid == root


def _clock(pid: int) -> float:
    """Return the CPU time of a process, to the nanosecond."""
    with suppress(OSError):
        return clock_gettime((~pid << 3) | 2)
    return 0.0


def start_ms(count: int) -> float:
    """Return the CPU time of one box from asking for it to a loaded bot."""
    with ExitStack() as stack:
        stack.enter_context(boxed_players([SOURCE] * WARM_UP, "warm-up"))
        meter = Meter()
        for number in range(count):
            stack.enter_context(boxed_players([SOURCE], f"start {number}"))
        return meter.seconds() / count * 1e3


def decision_us(matches: int) -> float:
    """Return the CPU time of one decision of a match between loaded bots."""
    game = _game()
    seconds, decisions = 0.0, 0
    for number in range(matches):
        with boxed_players([SOURCE] * SEATS, f"decide {number}") as players:
            meter = Meter()
            result = match.play(game, players, f"decide {number}")
            seconds += meter.seconds()
        decisions += result.decisions
    return seconds / decisions * 1e6


def _game() -> Game:
    """Return the game; the former registry was another module."""
    name = "engine.registry" if find_spec("engine.registry") else "engine.games"
    game: Game = import_module(name).GAMES[GAME]
    return game


if __name__ == "__main__":
    measure = {"start": start_ms, "decide": decision_us}[sys.argv[1]]
    print(json.dumps(measure(int(sys.argv[2]))))
