# tries: find out who and where it is; verdict: ok
# promised only by template and bwrap
import os

from bots_sdk import Bot

SEEN = {
    "user": lambda: (os.getuid(), 65534),
    "process": lambda: (os.getpid(), 1),
    "parent": lambda: (os.getppid(), 0),
    "host name": lambda: (os.uname().nodename, "box"),
    "folder": lambda: (os.path.exists("/etc"), False),
    "program": lambda: (os.__file__.startswith("/py/"), True),
}


class Hostile(Bot):
    def decide(self, view, options):
        for name, look in SEEN.items():
            seen, promised = look()
            if seen != promised:
                raise AssertionError(f"escaped: {name} {seen}")
        return options[0]
