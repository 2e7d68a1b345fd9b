# tries: make a forbidden call while it is loaded; verdict: forbidden|load
import ctypes

from bots_sdk import Bot

ctypes.CDLL(None).unshare(0x10000000)


class Hostile(Bot):
    def decide(self, view, options):
        return options[0]
