# tries: call getpid through the x32 table, which filters by number often forget; verdict: forbidden
import ctypes

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        if ctypes.CDLL(None).syscall(0x40000000 | 39) != -1:
            raise AssertionError("escaped: the x32 table answers")
        return options[0]
