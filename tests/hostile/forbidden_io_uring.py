# tries: reach the kernel through io_uring, past every filter of calls; verdict: forbidden
import ctypes
import os

from bots_sdk import Bot

CALL = {"x86_64": 425, "aarch64": 425}[os.uname().machine]


class Hostile(Bot):
    def decide(self, view, options):
        ctypes.CDLL(None).syscall(CALL, 8, 0)
        return options[0]
