# tries: map a terabyte, or memory that is shared; verdict: ok
import mmap
import os

from bots_sdk import Bot

PROBES = {
    "terabyte": lambda: mmap.mmap(-1, 1 << 40),
    "private terabyte": lambda: mmap.mmap(-1, 1 << 40, flags=mmap.MAP_PRIVATE),
    "writable file": lambda: mmap.mmap(os.open(os.__file__, os.O_RDWR), 0),
    "the log, too large": lambda: mmap.mmap(1, 1 << 30, flags=mmap.MAP_SHARED),
}


class Hostile(Bot):
    def decide(self, view, options):
        for name, attempt in PROBES.items():
            try:
                attempt()
            except (OSError, ValueError):
                continue
            raise AssertionError(f"escaped: {name}")
        return options[0]
