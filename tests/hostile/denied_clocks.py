# tries: watch others through the clocks of their processes; verdict: ok
import os
import time

from bots_sdk import Bot


def clock_of(pid):
    return (~pid << 3) | 2


PROBES = {
    "parent": lambda: time.clock_gettime(clock_of(os.getppid() or 2)),
    "neighbour": lambda: time.clock_gettime(clock_of(os.getpid() + 1)),
    "init": lambda: time.clock_getres(clock_of(1)),
    "device": lambda: time.clock_gettime((~3 << 3) | 3),
}


class Hostile(Bot):
    def decide(self, view, options):
        for name, attempt in PROBES.items():
            try:
                attempt()
            except OSError:
                continue
            raise AssertionError(f"escaped: {name}")
        return options[0]
