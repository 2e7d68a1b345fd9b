# tries: make processes by raw system calls; verdict: ok
import ctypes
import os

from bots_sdk import Bot

TABLES = {
    "x86_64": {"clone": 56, "fork": 57, "vfork": 58, "execve": 59, "execveat": 322, "clone3": 435},
    "aarch64": {"clone": 220, "execve": 221, "execveat": 281, "clone3": 435},
}


def call(name, *args):
    number = TABLES[os.uname().machine].get(name, -1)
    if ctypes.CDLL(None, use_errno=True).syscall(number, *args) == -1:
        raise OSError(ctypes.get_errno(), name)


PROBES = {
    "clone": lambda: call("clone", 17, 0, 0, 0, 0),
    "clone3": lambda: call("clone3", 0, 0),
    "vfork": lambda: call("vfork"),
    "fork": lambda: call("fork"),
    "execve": lambda: call("execve", b"/bin/true", 0, 0),
    "execveat": lambda: call("execveat", 3, b"", 0, 0, 0x1000),
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
