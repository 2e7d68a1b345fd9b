# tries: use locks on shared files as a channel to other boxes; verdict: ok
import ctypes
import fcntl
import os

from bots_sdk import Bot


def ctypes_inotify():
    if ctypes.CDLL(None).inotify_init1(0) == -1:
        raise OSError


PROBES = {
    "flock": lambda: fcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB),
    "flock the log": lambda: fcntl.flock(1, fcntl.LOCK_EX | fcntl.LOCK_NB),
    "lockf": lambda: fcntl.lockf(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_SH | fcntl.LOCK_NB),
    "lease": lambda: fcntl.fcntl(
        os.open(os.__file__, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK
    ),
    "notify": ctypes_inotify,
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
