# tries: get a file that is on no disk, or make one of a terabyte; verdict: ok
import os

from bots_sdk import Bot

PROBES = {
    "memfd": lambda: os.memfd_create("x"),
    "truncate the log": lambda: os.ftruncate(1, 1 << 40),
    "allocate the log": lambda: os.posix_fallocate(1, 0, 1 << 40),
    "write far away": lambda: os.pwrite(1, b"x", 1 << 40),
    "sendfile": lambda: os.sendfile(1, os.open(os.__file__, os.O_RDONLY), 0, 1 << 30),
    "splice": lambda: os.copy_file_range(os.open(os.__file__, os.O_RDONLY), 1, 1 << 20),
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
