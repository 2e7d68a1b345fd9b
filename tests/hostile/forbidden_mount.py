# tries: mount a file system; verdict: forbidden
import ctypes
import os

from bots_sdk import Bot

CALL = {"x86_64": 165, "aarch64": 40}[os.uname().machine]


class Hostile(Bot):
    def decide(self, view, options):
        ctypes.CDLL(None).syscall(CALL, 0, b"/", b"tmpfs", 0, 0)
        return options[0]
