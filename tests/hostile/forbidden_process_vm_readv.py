# tries: read the memory of another process; verdict: forbidden
import ctypes
import os

from bots_sdk import Bot

CALL = {"x86_64": 310, "aarch64": 270}[os.uname().machine]


class Hostile(Bot):
    def decide(self, view, options):
        ctypes.CDLL(None).syscall(CALL, 1, 0, 0, 0, 0, 0)
        return options[0]
