# tries: make a user namespace of its own; verdict: forbidden
import ctypes
import os

from bots_sdk import Bot

CALL = {"x86_64": 272, "aarch64": 97}[os.uname().machine]


class Hostile(Bot):
    def decide(self, view, options):
        ctypes.CDLL(None).syscall(CALL, 0x10000000)
        return options[0]
