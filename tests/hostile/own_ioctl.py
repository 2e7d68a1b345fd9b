# tries: push characters into a terminal and ask devices; verdict: ok
import fcntl
import os
import termios

from bots_sdk import Bot

PROBES = {
    "push input": lambda: fcntl.ioctl(0, termios.TIOCSTI, b"x"),
    "terminal": lambda: os.ttyname(0),
    "owner": lambda: fcntl.fcntl(3, fcntl.F_SETOWN, 1),
    "async": lambda: fcntl.fcntl(3, fcntl.F_SETFL, fcntl.fcntl(3, fcntl.F_GETFL) | os.O_ASYNC),
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
