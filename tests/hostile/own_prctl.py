# tries: change how its process is treated, so that it outlives the match; verdict: ok
import ctypes

from bots_sdk import Bot


def prctl(*args):
    if ctypes.CDLL(None).prctl(*args) == -1:
        raise OSError


PROBES = {
    "survive the parent": lambda: prctl(1, 0),
    "dumpable": lambda: prctl(4, 1),
    "keep capabilities": lambda: prctl(8, 1),
    "ambient": lambda: prctl(47, 2, 0, 0, 0),
    "subreaper": lambda: prctl(36, 1),
    "capability bounding": lambda: prctl(24, 0),
    "seccomp mode 1": lambda: prctl(22, 1),
    "timer slack": lambda: prctl(29, 1 << 40),
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
