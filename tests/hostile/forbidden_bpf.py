# tries: load a program into the kernel; verdict: forbidden
import ctypes
import os

from bots_sdk import Bot

CALL = {"x86_64": 321, "aarch64": 280}[os.uname().machine]


class Hostile(Bot):
    def decide(self, view, options):
        ctypes.CDLL(None).syscall(CALL, 0, 0, 0)
        return options[0]
