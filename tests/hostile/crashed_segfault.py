# tries: read address 0; verdict: crashed
import ctypes

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return ctypes.string_at(0)
