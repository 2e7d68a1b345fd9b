# tries: get a signal to anybody (one that only asks): all, its parent, every number; verdict: ok
import contextlib
import os

from bots_sdk import Bot


def kill_range():
    for pid in range(2, 5000):
        with contextlib.suppress(OSError):
            os.kill(pid, 0)
            return
    raise OSError


PROBES = {
    "all": lambda: os.kill(-1, 0),
    "parent": lambda: os.kill(os.getppid() or 2, 0),
    "range": kill_range,
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
